/** Checks what a build weighs on the wire (gzip) against what a phone should have to load. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const dist = join(import.meta.dirname, "../dist");
/** In kilobytes. */
const budgets = {
  initial: 145,
  summary: 205,
  app: 350,
  languagePart: 11,
  pictures: 8,
  css: 13,
  lazyChunk: 30,
  font: 45,
  worker: 4,
} as const;

if (!existsSync(dist)) {
  console.error("There is no build to weigh. Run `npm run build` first.");
  process.exit(1);
}

/** Kilobytes on the wire of a file in `dist/assets`. */
function weigh(file: string): number {
  const path = join(dist, "assets", file);
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size / 1000;
}

const files = readdirSync(join(dist, "assets"));
const html = readFileSync(join(dist, "index.html"), "utf8");
const total = (some: readonly string[]) => some.reduce((sum, file) => sum + weigh(file), 0);
const heaviestOf = (some: readonly string[]) => some.toSorted((one, other) => weigh(other) - weigh(one))[0];
const scripts = files.filter((file) => file.endsWith(".js"));
const initial = scripts.filter((file) => html.includes(file));
const heaviest = heaviestOf(scripts.filter((file) => !initial.includes(file)));
/** The parts of the catalogues, as `vite/message-parts.ts` names them. A page loads those of one language. */
const parts = files.filter((file) => /^language-.*\.json$/u.test(file));
const heaviestPart = heaviestOf(parts);
const firstParts = parts.filter((file) => /^language-\w+-first-/u.test(file));
const languages = firstParts.map((file) => file.replace(/first-.*$/u, ""));
/** The largest language's parts whose files match. */
const language = (pattern: RegExp) =>
  Math.max(
    ...languages.map((prefix) =>
      total(parts.filter((file) => file.startsWith(prefix) && pattern.test(file))),
    ),
  );
const ofSummary = /(?:first|shared|SummaryPage)-/u;

const measured = [
  [
    "Initial JavaScript with the largest language's first part",
    total(initial) + language(/first-/u),
    budgets.initial,
  ],
  [
    "What Summary is opened with, in the largest language",
    total(scripts.filter((file) => initial.includes(file) || ofSummary.test(file))) + language(ofSummary),
    budgets.summary,
  ],
  ["The whole app's JavaScript with the largest language", total(scripts) + language(/./u), budgets.app],
  [
    `The largest part of a language (${heaviestPart ?? "none"})`,
    heaviestPart === undefined ? Infinity : weigh(heaviestPart),
    budgets.languagePart,
  ],
  ["CSS", total(files.filter((file) => file.endsWith(".css"))), budgets.css],
  ["Fonts", total(files.filter((file) => file.endsWith(".woff2"))), budgets.font],
  ["The service worker", weigh("../worker.js"), budgets.worker],
  ["The pictures' chunk", total(scripts.filter((file) => file.startsWith("MetricsPage"))), budgets.pictures],
  [
    `The largest lazy chunk (${heaviest ?? "none"})`,
    heaviest === undefined ? 0 : weigh(heaviest),
    budgets.lazyChunk,
  ],
] as const;

for (const [what, weight, limit] of measured) {
  console.log(`${weight > limit ? "TOO HEAVY" : "ok       "}  ${what}: ${weight.toFixed(1)} of ${limit} KB`);
}
const inlined = files.filter(
  (file) => file.endsWith(".css") && readFileSync(join(dist, "assets", file), "utf8").includes("data:"),
);
for (const file of inlined)
  console.log(`FORBIDDEN  ${file} has a data: URI, which the content security policy refuses`);
/** Loading from elsewhere: an address in the page, in a style sheet, or in a request that a script makes. */
const elsewhere =
  /(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|(?:fetch|import|Worker|EventSource|WebSocket)\(["'`](?:https?|wss?):/u;
const strangers = [
  ...(elsewhere.test(html) ? ["index.html"] : []),
  ...files.filter(
    (file) => /\.(?:css|js)$/u.test(file) && elsewhere.test(readFileSync(join(dist, "assets", file), "utf8")),
  ),
];
for (const file of strangers) console.log(`FORBIDDEN  ${file} loads from another origin`);
process.exit(
  strangers.length > 0 || inlined.length > 0 || measured.some(([, weight, limit]) => weight > limit) ? 1 : 0,
);
