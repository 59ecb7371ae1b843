/** What a build does: it puts `withMessages` around each dynamic import. */
import { i18n } from "@lingui/core";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { server } from "../test/server";

const requested: string[] = [];
let broken = "";

/** A new instance of the module, which has loaded nothing yet. */
async function built() {
  vi.stubEnv("PROD", true);
  vi.resetModules();
  return import("./catalogues");
}

beforeEach(() => {
  requested.length = 0;
  broken = "";
  server.use(
    http.get("/assets/:file", ({ params }) => {
      const file = String(params["file"]);
      requested.push(file);
      if (file === broken) return new HttpResponse(null, { status: 404 });
      const [, language, part] = /^language-(\w+)-(.+)\.json$/u.exec(file) ?? [];
      return HttpResponse.json({ [part ?? ""]: [`${part} in ${language}`] });
    }),
  );
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("code is there once its messages are, and each part is loaded once", async () => {
  const { openLanguage, withMessages } = await built();
  await openLanguage();

  const module = await withMessages("shared Page", Promise.resolve("the code"));

  expect(module).toBe("the code");
  expect(i18n._("Page")).toBe("Page in en");
  await withMessages("shared Other", Promise.resolve());
  expect(requested.filter((file) => file.includes("shared"))).toHaveLength(1);
});

test("another language is shown once it has the parts of all loaded code", async () => {
  const { chooseLanguage, openLanguage, withMessages } = await built();
  await openLanguage();
  await withMessages("Page", Promise.resolve());

  const choosing = chooseLanguage("de");
  // Loaded in the former language, while the next one is on its way.
  await withMessages("Late", Promise.resolve());
  await choosing;

  expect(i18n.locale).toBe("de");
  expect(["Page", "Late"].map((id) => i18n._(id))).toEqual(["Page in de", "Late in de"]);
});

test("code whose messages can't be loaded is not there; the next attempt loads them", async () => {
  const { openLanguage, withMessages } = await built();
  await openLanguage();
  broken = "language-en-Page.json";

  await expect(withMessages("Page", Promise.resolve())).rejects.toThrow(/fetch/u);

  broken = "";
  await withMessages("Page", Promise.resolve());
  expect(i18n._("Page")).toBe("Page in en");
});

test("an error's sentence is loaded with the first error, and an error without it is still one", async () => {
  const { loadProblemSentences, openLanguage } = await built();
  await openLanguage();
  broken = "language-en-messages:problems.json";

  await loadProblemSentences();

  expect(requested.at(-1)).toBe(broken);
});
