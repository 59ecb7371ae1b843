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

/**
 * In `make test` other steps run beside these, so only what hangs may take long. An everyday run says soon what it waits for.
 */
const isPatient = process.env["PATIENT_TESTS"] !== undefined;
const wait = isPatient ? 60_000 : 10_000;

export default defineConfig({
  testDir: "e2e",
  testIgnore: "other-browsers/**",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: isPatient ? 180_000 : 45_000,
  expect: { timeout: wait, toPass: { timeout: isPatient ? 150_000 : 20_000 } },
  reporter: [["list"]],
  use: {
    launchOptions,
    actionTimeout: wait,
    navigationTimeout: wait,
    // A worker would answer what the tests hold back or refuse. e2e/installed.spec.ts is about it.
    serviceWorkers: "block",
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
      grepInvert: /@narrow/u,
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 }, launchOptions },
    },
  ],
});
