import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "vite";

const PLACEHOLDER = 'const app = { version: "", files: [], page: "" };';

/** Not among the files that the worker keeps: what it keeps by itself, and what only the browser's own pages show. */
const NOT_KEPT = /^(?:index\.html|worker\.js|screenshots\/.*|\..*)$/u;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** Tells the service worker which files the app has. */
export function appFiles(): Plugin {
  return {
    name: "porchlight:app-files",
    apply: "build",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      const worker = join(dir, "worker.js");
      const source = readFileSync(worker, "utf8");
      if (!source.includes(PLACEHOLDER)) throw new Error(`public/worker.js lacks the line: ${PLACEHOLDER}`);
      const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
        .filter((path) => !NOT_KEPT.test(path))
        .toSorted();
      const page = sha256(readFileSync(join(dir, "index.html")));
      const contents = files.map((path) => sha256(readFileSync(join(dir, path))));
      const version = sha256([page, ...files, ...contents].join()).slice(0, 16);
      const app = { version, files: files.map((path) => `/${path}`), page };
      writeFileSync(
        worker,
        source.replace(PLACEHOLDER, () => `const app = ${JSON.stringify(app)};`),
      );
    },
  };
}
