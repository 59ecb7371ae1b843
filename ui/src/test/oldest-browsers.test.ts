/** Checks compatibility with the oldest browsers in package.json, where `npm run lint` can't. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");

test("no style depends on :has(), which Firefox 115 doesn't know", () => {
  const users = globSync(["**/*.tsx", "**/*.css"], { cwd: src }).filter((file) =>
    /:has\(|[\s"'`:]has-(?:\[|\w+:)/u.test(readFileSync(join(src, file), "utf8")),
  );

  expect(users).toEqual([]);
});
