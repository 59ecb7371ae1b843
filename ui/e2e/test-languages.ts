import { readFileSync } from "node:fs";
import { join } from "node:path";

import { formatter } from "@lingui/format-po";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Page } from "@playwright/test";

import { type TestLanguage, inTestLanguage, testLanguages } from "../src/test/test-languages";

/** A shipped language, whose catalogue is replaced. Another one than English, which shows the server's words for errors. */
const REPLACED = "de";

/** Shows the pages that are opened from now on in a test language, which the shipped build doesn't have. */
export async function useTestLanguage(page: Page, language: TestLanguage): Promise<void> {
  const catalogue = join(import.meta.dirname, "../locales/en.po");
  const entries = await formatter().parse(readFileSync(catalogue, "utf8"), {
    locale: "en",
    sourceLocale: "en",
    filename: catalogue,
  });
  const compiled = Object.entries(entries ?? {}).map(([id, { translation = "" }]) => [
    id,
    compileMessage(translation),
  ]);
  const messages = inTestLanguage(language, Object.fromEntries(compiled));
  // Each part has all of it.
  await page.route(`**/assets/language-${REPLACED}-*.json`, (route) => route.fulfill({ json: messages }));
  await page.addInitScript(
    ([chosen, direction]) => {
      localStorage.setItem("language", chosen);
      addEventListener("DOMContentLoaded", () => {
        document.documentElement.dir = direction;
      });
    },
    [REPLACED, testLanguages[language].direction] as const,
  );
}
