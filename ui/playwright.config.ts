import { existsSync } from "node:fs";

import { defineConfig, devices } from "@playwright/test";

/** Debian's Chromium without its windows, which takes a third less processor time; elsewhere the whole browser. */
const headlessShell = "/usr/bin/chromium-headless-shell";

const launchOptions = {
  executablePath: existsSync(headlessShell) ? headlessShell : "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export default defineConfig({
  testDir: "e2e",
  testIgnore: "other-browsers/**",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 180_000,
  // What is awaited shows up at once on an idle machine; other steps of `make test` run beside these.
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions,
    locale: "en-US",
    timezoneId: "America/New_York",
    // What moves is not looked at half-way.
    contextOptions: { reducedMotion: "reduce" },
    // Tracing takes as long as the tests themselves. To look into a failure: npm run e2e -- --trace on FILE
    screenshot: "only-on-failure",
  },
  projects: [
    {
      name: "phone",
      grepInvert: /@any-width/u,
      use: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 }, launchOptions },
    },
    {
      name: "desktop",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 }, launchOptions },
    },
  ],
});
