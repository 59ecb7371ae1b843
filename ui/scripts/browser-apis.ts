/**
 * Fails for an API of the browser that the oldest browsers (`browserslist` in package.json) don't have, by MDN's data. It asks
 * TypeScript what each name in the pages' code means, so that methods of objects count, too.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

import bcd, {
  type CompatStatement,
  type Identifier,
  type SimpleSupportStatement,
} from "@mdn/browser-compat-data" with { type: "json" };
import ts from "typescript";

import packageJson from "../package.json" with { type: "json" };

const ui = join(import.meta.dirname, "..");

/** What may be used although an oldest browser lacks it. */
const ALLOWED: Readonly<Record<string, string>> = {
  "Navigator.setAppBadge": "used only where it is there",
  "Navigator.share": "a button that is shown only where it is there",
  "Navigator.cookieEnabled": "Safari is wrong only in frames of other sites",
};

/** The oldest version of each browser, by its name in MDN's data. */
const oldest = Object.fromEntries(
  packageJson.browserslist.flatMap((browser) => {
    const [name = "", version = ""] = browser.split(" ");
    return name === "safari"
      ? [
          [name, version],
          ["safari_ios", version],
        ]
      : [[name, version]];
  }),
);

const config = ts.readConfigFile(join(ui, "tsconfig.json"), (path) => readFileSync(path, "utf8"));
const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ui);
const program = ts.createProgram([join(ui, "src/main.tsx")], { ...options, types: ["vite/client"] });
const checker = program.getTypeChecker();

const found = new Map<string, string>();
let seen = 0;
for (const file of program.getSourceFiles()) {
  const path = relative(ui, file.fileName);
  if (path.startsWith("src/") && !path.startsWith("src/test/")) visit(file, path);
}
for (const [api, where] of found) console.error(`${where}: ${api}`);
if (seen < 300)
  console.error(`Only ${seen} uses of browsers' APIs were found in the pages: is this script blind?`);
process.exit(found.size > 0 || seen < 300 ? 1 : 0);

function visit(node: ts.Node, path: string): void {
  if (ts.isIdentifier(node)) check(node, path);
  ts.forEachChild(node, (child) => visit(child, path));
}

function check(node: ts.Identifier, path: string): void {
  // A type is gone when the page runs.
  if (ts.isPartOfTypeNode(node)) return;
  const declarations = checker.getSymbolAtLocation(node)?.getDeclarations() ?? [];
  for (const declaration of declarations) {
    if (!program.isSourceFileDefaultLibrary(declaration.getSourceFile())) continue;
    const api = compatOf(declaration, node);
    if (api === null) continue;
    seen += 1;
    const lacking = missingIn(api.compat);
    if (lacking.length === 0 || api.name in ALLOWED) continue;
    const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
    found.set(`${api.name} is missing in ${lacking.join(", ")}`, `ui/${path}:${line + 1}`);
  }
}

interface Api {
  name: string;
  compat: CompatStatement;
}

/** What MDN knows of a declaration in TypeScript's libraries. */
function compatOf(declaration: ts.Declaration, node: ts.Identifier): Api | null {
  const name = node.text;
  const owner = ownerOf(declaration);
  if (owner === null) return lookUp(name, [name]) ?? lookUp(name, ["Window", name]);
  const { isStatic, names } = owner;
  for (const each of [...names, ...typesLeftOf(node)]) {
    const entry = lookUp(`${each}.${name}`, isStatic ? [each, `${name}_static`] : [each, name]);
    if (entry !== null) return entry;
    const plain = isStatic ? lookUp(`${each}.${name}`, [each, name]) : null;
    if (plain !== null) return plain;
  }
  return null;
}

/** The interface or namespace that declares a member; null for a global. */
function ownerOf(declaration: ts.Declaration): { isStatic: boolean; names: string[] } | null {
  for (let { parent } = declaration; parent !== undefined && !ts.isSourceFile(parent); { parent } = parent) {
    if (ts.isInterfaceDeclaration(parent)) {
      const constructed = /^(\w+)Constructor$/u.exec(parent.name.text)?.[1];
      return { isStatic: constructed !== undefined, names: [constructed ?? parent.name.text] };
    }
    if (ts.isModuleDeclaration(parent)) return { isStatic: true, names: [parent.name.text] };
    // `declare var AbortSignal: { any(…): AbortSignal }`
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name))
      return { isStatic: true, names: [parent.name.text] };
  }
  return null;
}

/** The types of the object whose member is read: a mixin's member stands at its interfaces in MDN's data. */
function typesLeftOf(node: ts.Identifier): string[] {
  if (!ts.isPropertyAccessExpression(node.parent) || node.parent.name !== node) return [];
  const type = checker.getApparentType(checker.getTypeAtLocation(node.parent.expression));
  const all = type.isUnion() ? type.types : [type];
  return all
    .flatMap((each) => [each, ...(each.getBaseTypes() ?? [])])
    .map((each) => each.getSymbol()?.name ?? "");
}

function lookUp(name: string, path: readonly string[]): Api | null {
  for (const root of [bcd.api, bcd.javascript["builtins"]]) {
    let entry: Identifier | undefined = root;
    for (const step of path)
      entry = entry !== undefined && Object.hasOwn(entry, step) ? entry[step] : undefined;
    // oxlint-disable-next-line no-underscore-dangle -- MDN's name
    const compat = entry?.__compat;
    if (compat !== undefined) return { name, compat };
  }
  return null;
}

/** The oldest browsers that don't have it. */
function missingIn({ support }: CompatStatement): string[] {
  return Object.entries(oldest).flatMap(([browser, version]) => {
    const statements = Object.entries(support).find(([name]) => name === browser)?.[1];
    if (statements === undefined) return [];
    const all: readonly SimpleSupportStatement[] = [statements].flat();
    return all.some((each) => hasIt(each, version)) ? [] : [`${browser} ${version}`];
  });
}

function hasIt(
  { version_added: added, version_removed: removed, prefix, flags }: SimpleSupportStatement,
  version: string,
): boolean {
  if (prefix !== undefined || flags !== undefined || removed !== undefined) return false;
  if (typeof added !== "string" || added === "preview") return false;
  const [wanted, has] = [added, version].map((each) => each.replace("≤", "").split(".").map(Number));
  const [major = 0, minor = 0] = wanted ?? [];
  const [hasMajor = 0, hasMinor = 0] = has ?? [];
  return major < hasMajor || (major === hasMajor && minor <= hasMinor);
}
