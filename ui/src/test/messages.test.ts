/** The rules of the catalogues (`scripts/messages.ts`), and how Lingui gets onto a machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { differsInPlaceholders, lacksOther } from "../../scripts/message-rules.ts";

const DAYS = "Kept for <0>{count, plural, one {# day} other {# days}}</0> by {name}";

test.each([
  ["Von {name} <0>{count, plural, one {# Tag} other {# Tage}}</0> lang", false],
  ["Von {nmae} <0>{count, plural, one {# Tag} other {# Tage}}</0> lang", true],
  ["<0>{count, plural, one {# Tag} other {# Tage}}</0> lang", true],
  ["Von {name} {count, plural, one {# Tag} other {# Tage}} lang", true],
  ["Von {name} <0>{count}</0> Tage lang", true],
])("%j has other placeholders: %s", (translation, differs) => {
  expect(differsInPlaceholders(DAYS, translation)).toBe(differs);
});

test.each([
  [DAYS, false],
  ["{count, plural, one {# Tag}}", true],
  ["{who, select, a {{count, plural, one {# Tag}}} other {Niemand}}", true],
  ["Kein Plural", false],
])("%j lacks the form for other numbers: %s", (message, lacks) => {
  expect(lacksOther(message)).toBe(lacks);
});

test("npm installs Lingui's binary with an older Node, too", () => {
  // The scripts run with the Node 24 that a package brings along, but npm itself may run with Node 20, and skips optional
  // packages whose `engines` refuse that. After an update, delete the `engines` of these packages from the lock file.
  const lock: { packages: Record<string, { engines?: unknown }> } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8"),
  );
  const binaries = Object.entries(lock.packages).filter(([path]) => path.includes("@lingui/native-tools-"));

  expect(binaries.length).toBeGreaterThan(2);
  expect(binaries.filter(([, { engines }]) => engines !== undefined)).toEqual([]);
});
