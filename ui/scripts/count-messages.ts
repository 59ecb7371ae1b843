/**
 * Counts the sentences of the pages by folder, without those of the server's errors. More than today's in a folder is an error: take
 * another one out, or raise the number here and say why in the commit. A sentence that stands in two folders counts in both.
 */
import { join } from "node:path";

import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";

import { ceilings } from "./message-ceilings.ts";

const [catalog] = await getCatalogs(getConfig({ cwd: join(import.meta.dirname, "..") }));
const messages = await catalog?.read("en");
if (messages === undefined) throw new Error("locales/en.po could not be read.");

const pages = Object.entries(messages).filter(([id]) => !id.startsWith("problem."));
const counts = new Map<string, number>();
for (const [, { origin = [] }] of pages) {
  const folders = new Set(origin.map(([path]) => path.split("/")[1] ?? path));
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
}

const isCheck = process.argv.includes("--check");
let isTooMany = false;
for (const [folder, count] of [...counts].toSorted(([, one], [, other]) => other - one)) {
  const ceiling = ceilings[folder] ?? 0;
  if (count > ceiling) {
    isTooMany = true;
    console.error(
      `src/${folder}: ${count} sentences, more than the ${ceiling} of scripts/message-ceilings.ts`,
    );
  } else if (!isCheck) console.log(`${count} of ${ceiling}  ${folder}`);
}
if (!isCheck) console.log(`${pages.length} altogether`);
process.exit(isTooMany ? 1 : 0);
