import { defineConfig } from "@playwright/test";

import base from "../../playwright.config";

/** `make pictures`: the pictures of the documents. They don't run at a time, because they share one demonstration. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.pictures.ts",
  outputDir: "../../test-results/pictures",
  workers: 1,
  timeout: 180_000,
  projects: [{ name: "pictures" }],
});
