import { readFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { NotSignedIn, RequestFailed, TranslatedError, errorMessage } from "./problem";
import { chooseLanguage } from "./catalogues";

const root = join(import.meta.dirname, "../../..");

/** The codes of the contract. */
const list = / {4}ProblemCode:\n(?:.+\n)+? {6}enum:\n(?<codes>(?: {6}- \w+\n)+)/u.exec(
  readFileSync(join(root, "openapi.yaml"), "utf8"),
)?.groups?.["codes"];
const codes = [...(list ?? "").matchAll(/- (\w+)/gu)].map(([, code]) => code);

/** A value for each name in a sentence. */
const sentences = readFileSync(join(root, "docs/errors.md"), "utf8");
const args = Object.fromEntries([...sentences.matchAll(/\{(\w+)\}/gu)].map(([, name]) => [name, 7]));

/** The contract's answer has the server's words, which are English. */
function failed(body: object): RequestFailed {
  const english = { detail: "The server's detail.", message: "The server's message." };
  return new RequestFailed("The server answered with status 400.", {
    status: 400,
    body: { ...english, ...body },
  });
}

beforeEach(async () => chooseLanguage("de"));

test("the contract's codes are found", () => {
  expect(codes.length).toBeGreaterThan(100);
});

test.each(codes)("in another language %s has a sentence of the catalogue", (code) => {
  const sentence = errorMessage(failed({ code, args }), { fallback: "None.", alsoMessage: true });

  expect(sentence).toMatch(/^[^{}]{12,}$/u);
  expect(sentence).not.toMatch(/None\.|The server's|status 400|undefined/u);
});

test.each<[string, unknown, string]>([
  ["an unknown code", failed({ code: "of_a_later_version" }), "None."],
  ["no code", failed({}), "None."],
  ["an error of the browser", new TypeError("Failed to fetch"), "None."],
  ["an error in the page's language", new TranslatedError("Kein Link."), "Kein Link."],
])("%s never shows English words of others", (_what, error, sentence) => {
  expect(errorMessage(error, "None.")).toBe(sentence);
});

test("what the page itself found has its sentence", () => {
  expect(errorMessage(new RequestFailed("No answer."), "None.")).toMatch(/^Der Server ist nicht erreichbar/u);
  expect(errorMessage(new NotSignedIn("No token."), "None.")).toBe("Du bist nicht angemeldet.");
});
