/**
 * Checks the catalogues of `locales/` against the sentences in the code: run `npm run messages` if one isn't there. A translation
 * has the placeholders of its sentence, `other` in each plural, and isn't the English text unless `locales/same-as-english.txt`
 * lists that.
 */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import ts from "typescript";

import { differsInPlaceholders, lacksOther } from "./message-rules.ts";

/** Whether a sentence without a translation is an error. Until then they are counted. */
const COMPLETE = true;

const ui = join(import.meta.dirname, "..");
const problems: string[] = [];

const same = new Set(readFileSync(join(ui, "locales/same-as-english.txt"), "utf8").split("\n"));
const isSame = (locale: string, message: string) => same.has(message) || same.has(`${locale}: ${message}`);

const config = getConfig({ cwd: ui });
const [catalog] = await getCatalogs(config);
const extracted = await catalog?.collect();
if (catalog === undefined || extracted === undefined) throw new Error("The messages could not be extracted.");
const sources = new Map(Object.entries(extracted).map(([id, { message = "" }]) => [id, message]));

for (const [id, message] of sources) {
  const where = extracted[id]?.origin?.[0]?.[0];
  // ICU takes what follows such an apostrophe as it is.
  if (/'[{}]/u.test(message)) problems.push(`${where}: use ’ in front of a value: ${message}`);
  if (/\{\d/u.test(message)) problems.push(`${where}: name the value, as in {{ time: … }}: ${message}`);
  if (lacksOther(message)) problems.push(`${where}: a plural without "other": ${message}`);
}

for (const locale of config.locales as readonly string[]) {
  const file = `locales/${locale}.po`;
  const translations = (await catalog.read(locale)) ?? {};
  const outdated = [
    ...[...sources.keys()].filter((id) => !(id in translations)),
    ...Object.keys(translations).filter((id) => !sources.has(id)),
  ];
  if (outdated.length > 0)
    problems.push(`${file}: ${outdated.length} messages differ from the code's. Run: npm run messages`);
  let missing = 0;
  for (const [id, message] of sources) {
    const translation = translations[id]?.translation ?? "";
    if (translation === "") missing += 1;
    else if (locale === config.sourceLocale) {
      if (translation !== message) problems.push(`${file}: not the code's message: ${translation}`);
    } else {
      if (differsInPlaceholders(message, translation))
        problems.push(`${file}: other placeholders than in "${message}": ${translation}`);
      if (lacksOther(translation)) problems.push(`${file}: a plural without "other": ${translation}`);
      if (translation === message && !isSame(locale, message))
        problems.push(
          `${file}: equals the English text, and same-as-english.txt doesn't list it: ${message}`,
        );
    }
  }
  if (locale !== config.sourceLocale && missing > 0) {
    const sentence = `${file}: ${missing} of ${sources.size} messages are not translated`;
    if (COMPLETE) problems.push(sentence);
    else console.log(sentence);
  }
}

/** A message is translated where it is called, so at the top of a module it would stay in the first language. */
function translatesEarly(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const macros = new Set(["t", "plural", "select", "selectOrdinal"]);
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node)) return;
    const called = ts.isTaggedTemplateExpression(node)
      ? node.tag
      : ts.isCallExpression(node)
        ? node.expression
        : null;
    if (called !== null && ts.isIdentifier(called)) {
      if (["msg", "defineMessage"].includes(called.text)) return;
      if (macros.has(called.text)) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  if (/from "@lingui\/core\/macro"/u.test(source.text)) visit(source);
  return found;
}

for (const path of globSync("src/**/*.{ts,tsx}", { cwd: ui }).filter((name) => !name.includes(".test."))) {
  const text = readFileSync(join(ui, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  for (const node of translatesEarly(source)) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    problems.push(`${relative(ui, join(ui, path))}:${line + 1}: use msg\`…\` outside of functions`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
