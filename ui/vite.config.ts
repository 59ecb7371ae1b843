/// <reference types="vitest/config" />
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { lingui } from "@lingui/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

import linguiConfig from "./lingui.config.ts";
import { appFiles } from "./vite/app-files.ts";
import { clientOperations } from "./vite/client-operations.ts";
import { messageParts } from "./vite/message-parts.ts";
import packageJson from "./package.json" with { type: "json" };

const compressible = /^(?!\.).*\.(?:js|json|css|html|svg|webmanifest|txt)$/u;

/** Writes a `.br` and a `.gz` beside each asset that gets smaller by it, for the server to send as they are. */
function precompress(): Plugin {
  return {
    name: "porchlight:precompress",
    apply: "build",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => compressible.test(name))) {
        const path = join(dir, file);
        const plain = readFileSync(path);
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        };
        for (const [suffix, packed] of [
          [".br", brotliCompressSync(plain, { params })],
          [".gz", gzipSync(plain, { level: 9 })],
        ] as const) {
          if (packed.length < plain.length) writeFileSync(path + suffix, packed);
        }
      }
    },
  };
}

/** Serves the mock service worker to the development server alone, so that it never reaches a build. */
function fakeBackendWorker(): Plugin {
  return {
    name: "porchlight:fake-backend-worker",
    apply: "serve",
    configureServer(server) {
      const worker = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
      server.middlewares.use("/mockServiceWorker.js", (_request, response) => {
        response.setHeader("Content-Type", "text/javascript");
        response.end(readFileSync(worker));
      });
    },
  };
}

/** The oldest browsers that work, as esbuild names them: "chrome109". `npm run lint` holds the code to them. */
const OLDEST_BROWSERS = packageJson.browserslist.map((browser) => browser.replace(" ", ""));

export default defineConfig(({ mode }) => ({
  plugins: [
    lingui({ macroTransform: true, failOnCompileError: true }),
    clientOperations(),
    messageParts(),
    react(),
    tailwindcss(),
    appFiles(),
    precompress(),
    ...(mode === "fake" ? [fakeBackendWorker()] : []),
  ],
  define: { LANGUAGES: JSON.stringify(linguiConfig.locales) },
  build: {
    target: OLDEST_BROWSERS,
    // The content security policy allows files of our own and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files, because on a phone each further request and module takes longer than the bytes of a shared one.
          groups: [
            { name: "app", tags: ["$initial"], priority: 1 },
            // Only pages with a time zone load it.
            { name: "cities", test: /\/schedule\/cities\./u, priority: 1 },
            { name: "shared", minShareCount: 2 },
          ],
        },
      },
    },
    // For `make licences`, outside of what is served.
    license: { fileName: ".vite/licences.json" },
  },
  server: {
    host: "127.0.0.1",
    ...(mode !== "fake" && { proxy: { "/api": "http://127.0.0.1:8080" } }),
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://127.0.0.1:8080/" } },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    maxWorkers: 2,
    // Files share their modules, which takes a third of the time. What a module remembers is dropped after each test.
    isolate: false,
    // Only a test that hangs takes this long: what waits for the page gives up before, and says for what (src/test/setup.ts).
    testTimeout: process.env["PATIENT_TESTS"] === undefined ? 30_000 : 240_000,
    restoreMocks: true,
  },
}));
