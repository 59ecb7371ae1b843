import { defineConfig } from "@playwright/test";

import base from "../playwright.config";

/** `npm run bench`: load and scroll times on a phone. One worker, so that measurements don't disturb each other. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../test-results/bench",
  workers: 1,
  timeout: 600_000,
  projects: base.projects?.filter(({ name }) => name === "phone") ?? [],
});
