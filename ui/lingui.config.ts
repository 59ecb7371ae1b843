import { defineConfig, type ExtractorType } from "@lingui/conf";
import { formatter } from "@lingui/format-po";
import { createSwcExtractor } from "@lingui/native-tools";

/** The sentences of the API's errors, by their codes: `problem.link_expired`. */
const problems: ExtractorType = {
  match: (filename) => filename.endsWith("errors.md"),
  extract: (filename, text, onMessage) => {
    for (const [, code, sentence] of text.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gmu)) {
      if (code === "code") continue;
      // Its sentence depends on the place.
      const message =
        sentence === "What is expected at `at`." ? "Something that was sent is not valid." : sentence;
      onMessage({ id: `problem.${code}`, message, comment: message, origin: [filename, 1] });
    }
  },
};

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "de", "fr", "es"],
  // At build time, so that a page loads one catalogue.
  fallbackLocales: { default: "en" },
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}",
      include: ["src", "../docs/errors.md"],
      exclude: ["**/*.test.*", "src/test/**"],
    },
  ],
  // By file, so that the changes of different pages rarely meet.
  orderBy: "origin",
  format: formatter({ lineNumbers: false }),
  extractors: [problems, createSwcExtractor()],
});
