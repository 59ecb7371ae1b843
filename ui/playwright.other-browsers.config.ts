import { defineConfig } from "@playwright/test";

/** The journeys in Firefox and in WebKit, each file in one process with one browser. */
export default defineConfig({
  testDir: "e2e/other-browsers",
  outputDir: "test-results/other-browsers",
  workers: 2,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 120_000,
  reporter: [["list"]],
});
