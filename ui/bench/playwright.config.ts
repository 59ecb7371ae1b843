import { defineConfig } from "@playwright/test";

import base from "../playwright.config";

/** `npm run bench`: what a parent's phone waits for. One at a time, so that nothing measured disturbs the other. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../test-results/bench",
  workers: 1,
  timeout: 600_000,
  projects: base.projects?.filter(({ name }) => name === "phone") ?? [],
});
