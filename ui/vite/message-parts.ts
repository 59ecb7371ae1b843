import { createHash } from "node:crypto";
import { basename, join, relative } from "node:path";

import { createCompilationErrorMessage, createCompiledCatalog, getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { type Plugin, type Rolldown, Visitor } from "vite";

type Chunk = Pick<
  Rolldown.RenderedChunk,
  "imports" | "isEntry" | "isDynamicEntry" | "facadeModuleId" | "modules"
>;
type Chunks = Readonly<Record<string, Chunk>>;

/** Compiled messages by their ids. */
type Catalogue = Readonly<Record<string, unknown>>;
type Catalogues = ReadonlyMap<string, Catalogue>;

interface Split {
  /** The ids of each part's messages, by the part's name. */
  parts: ReadonlyMap<string, readonly string[]>;
  /** The names of the parts that are loaded for `first`, `problems` and each module that is imported dynamically. */
  names: ReadonlyMap<string, readonly string[]>;
}

/** In the code, what stands in place of the names of parts. */
const MARKER = /"messages:(?<what>[^"]+)"/gu;

/** The ids of the error sentences begin so. The code puts them together. */
const PROBLEM = "problem.";

/** The ids of all others: hashes of the sentences. */
const HASH = "[\\w+/-]{6}";

/** A message that this many dynamically imported modules need is in the part that all of them load. */
const SHARED_BY = 3;

/** A module whose further messages have fewer characters than this has no part of its own, because the request takes longer. */
const SMALLEST_PART = 1000;

/**
 * Splits each catalogue into the messages of the initial code, those of each module that is imported dynamically with all that it
 * imports, those that many of them share, and the error sentences. The dynamic imports load these parts beside the code.
 */
export function messageParts(): Plugin {
  let root = "";
  let catalogues: ReadonlyMap<string, Catalogue> = new Map();
  let split: Split | null = null;
  return {
    name: "porchlight:message-parts",
    apply: "build",
    configResolved(config) {
      ({ root } = config);
    },
    async buildStart() {
      catalogues = await compile(root);
      split = null;
    },
    transform: {
      order: "post",
      filter: { id: /\/src\/.*\.tsx?$/u, code: /\bimport\(/u },
      async handler(code, id) {
        const found: { start: number; end: number; source: string }[] = [];
        new Visitor({
          ImportExpression({ start, end, source }) {
            if (source.type === "Literal") found.push({ start, end, source: String(source.value) });
          },
        }).visit(this.parse(code));
        let wrapped = code;
        for (const { start, end, source } of found.toReversed()) {
          const target = await this.resolve(source, id);
          if (target === null) throw new Error(`${id} imports ${source}, which isn't there.`);
          const marker = `messages:${relative(root, target.id)}`;
          wrapped = `${wrapped.slice(0, start)}withMessages__("${marker}", ${wrapped.slice(start, end)})${wrapped.slice(end)}`;
        }
        if (found.length === 0) return null;
        const helper = join(root, "src/api/catalogues.ts");
        return {
          code: `import { withMessages as withMessages__ } from "${helper}";\n${wrapped}`,
          map: null,
        };
      },
    },
    renderChunk(code, { dynamicImports }, _options, { chunks }) {
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      const { names } = (split ??= splitCatalogues(catalogues, chunks, importsOf, root));
      const replaced = new Set<string>();
      const withNames = code.replaceAll(MARKER, (_whole, what: string) => {
        replaced.add(what);
        return JSON.stringify(namesOf(names, what).join(" "));
      });
      for (const file of dynamicImports) {
        const module = relative(root, chunks[file]?.facadeModuleId ?? file);
        if (!replaced.has(module)) throw new Error(`${module} is imported without its messages.`);
      }
      return withNames;
    },
    generateBundle(_options, bundle) {
      if (split === null) throw new Error("The build has no chunks.");
      const { parts, names } = split;
      const idsOf = (some: Iterable<string>) => [...some].flatMap((part) => parts.get(part) ?? []);
      const known = idsIn(catalogues);
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        const { code, fileName, facadeModuleId, isDynamicEntry } = file;
        const isOfOneModule = isDynamicEntry && facadeModuleId !== null;
        const loaded = isOfOneModule
          ? ["first", relative(root, facadeModuleId)].flatMap((what) => namesOf(names, what))
          : parts.keys();
        const there = new Set(idsOf(loaded));
        const missing = usedIn(code, known).filter((id) => !there.has(id));
        if (missing.length > 0)
          throw new Error(`${fileName} lacks ${missing.length} of its messages: ${missing[0]} …`);
      }
      const placed = new Set(idsOf(parts.keys()));
      const unused = [...known].find((id) => !placed.has(id));
      if (unused !== undefined) throw new Error(`No code of the build has the message ${unused}.`);
      for (const [part, ids] of parts) {
        for (const [language, catalogue] of catalogues) {
          const fileName = `assets/language-${language}-${part}.json`;
          this.emitFile({ type: "asset", fileName, source: JSON.stringify(pick(catalogue, ids)) });
        }
      }
    },
  };
}

/** The catalogues by language. Fails if one lacks a message of the code. */
async function compile(root: string): Promise<Catalogues> {
  const config = getConfig({ cwd: root });
  const [catalog] = await getCatalogs(config);
  const extracted = await catalog?.collect();
  if (catalog === undefined || extracted === undefined) throw new Error("The messages are not extracted.");
  const isFound = new RegExp(`^(?:${HASH}|${PROBLEM}.*)$`, "u");
  const hidden = Object.keys(extracted).find((id) => !isFound.test(id));
  if (hidden !== undefined)
    throw new Error(`The message ${hidden} has an id of its own, which isn't found in code.`);
  const { sourceLocale, fallbackLocales } = config;
  const locales: readonly string[] = config.locales;
  const catalogues = new Map<string, Catalogue>();
  for (const locale of locales) {
    const { messages } = await catalog.getTranslations(locale, {
      fallbackLocales,
      sourceLocale,
      missingBehavior: "catalog",
    });
    const { source, errors } = createCompiledCatalog(locale, messages, { namespace: "json" });
    if (errors.length > 0) throw new Error(createCompilationErrorMessage(locale, errors));
    const compiled: { messages: Record<string, unknown> } = JSON.parse(source);
    const missing = Object.keys(extracted).filter((id) => !(id in compiled.messages));
    if (missing.length > 0)
      throw new Error(`locales/${locale}.po lacks ${missing.length} messages. Run: npm run messages`);
    // In English the page shows the server's own error sentences.
    const shown = Object.keys(extracted).filter((id) => locale !== sourceLocale || !id.startsWith(PROBLEM));
    catalogues.set(locale, pick(compiled.messages, shown));
  }
  return catalogues;
}

function splitCatalogues(
  catalogues: Catalogues,
  chunks: Chunks,
  importsOf: (module: string) => readonly string[],
  root: string,
): Split {
  const known = idsIn(catalogues);
  const all = Object.values(chunks);
  const used = new Map(
    all.flatMap(({ modules }) =>
      Object.entries(modules).map(([module, { code }]) => [module, usedIn(code ?? "", known)]),
    ),
  );
  const initial = closure(
    Object.keys(chunks).filter((file) => chunks[file]?.isEntry === true),
    (file) => chunks[file]?.imports ?? [],
  );
  const first = new Set(
    initial.flatMap((file) =>
      Object.keys(chunks[file]?.modules ?? {}).flatMap((module) => used.get(module) ?? []),
    ),
  );
  const lazy = new Map<string, readonly string[]>();
  const users = new Map<string, number>();
  for (const { isDynamicEntry, facadeModuleId } of all) {
    if (!isDynamicEntry || facadeModuleId === null) continue;
    const ids = new Set(closure([facadeModuleId], importsOf).flatMap((module) => used.get(module) ?? []));
    const further = [...ids].filter((id) => !first.has(id));
    lazy.set(relative(root, facadeModuleId), further);
    for (const id of further) users.set(id, (users.get(id) ?? 0) + 1);
  }
  const shared = new Set([...users].filter(([, count]) => count >= SHARED_BY).map(([id]) => id));
  const own = new Map<string, readonly string[]>();
  const [catalogue = {}] = catalogues.values();
  for (const [module, ids] of lazy) {
    const further = ids.filter((id) => !shared.has(id));
    if (JSON.stringify(pick(catalogue, further)).length >= SMALLEST_PART) own.set(module, further);
    else for (const id of further) shared.add(id);
  }

  const parts = new Map<string, readonly string[]>();
  const addPart = (title: string, ids: readonly string[]) => {
    const sorted = ids.toSorted();
    const contents = JSON.stringify([...catalogues.values()].map((each) => pick(each, sorted)));
    const name = `${title}-${createHash("sha256").update(contents).digest("hex").slice(0, 8)}`;
    parts.set(name, sorted);
    return name;
  };
  const sharedPart = addPart("shared", [...shared]);
  const names = new Map([
    ["first", [addPart("first", [...first])]],
    [
      "problems",
      [
        addPart(
          "problems",
          [...known].filter((id) => id.startsWith(PROBLEM)),
        ),
      ],
    ],
  ]);
  for (const [module, ids] of lazy) {
    const further = own.get(module)?.filter((id) => !shared.has(id));
    const ownParts = further === undefined ? [] : [addPart(basename(module).replace(/\.\w+$/u, ""), further)];
    names.set(module, ids.some((id) => shared.has(id)) ? [sharedPart, ...ownParts] : ownParts);
  }
  return { parts, names };
}

function namesOf(names: Split["names"], what: string): readonly string[] {
  const found = names.get(what);
  if (found === undefined) throw new Error(`No chunk has ${what}.`);
  return found;
}

/** These and all that they lead to. */
function closure(from: readonly string[], next: (one: string) => readonly string[]): string[] {
  const found = new Set(from);
  for (const one of found) for (const other of next(one)) found.add(other);
  return [...found];
}

function idsIn(catalogues: Catalogues): Set<string> {
  return new Set([...catalogues.values()].flatMap((catalogue) => Object.keys(catalogue)));
}

/** The ids among the strings of the code. One that only looks like an id does no harm. */
function usedIn(code: string, known: ReadonlySet<string>): string[] {
  return [...code.matchAll(new RegExp(`["'\`](${HASH})["'\`]`, "gu"))]
    .map(([, id = ""]) => id)
    .filter((id) => known.has(id));
}

function pick(catalogue: Catalogue, ids: readonly string[]): Catalogue {
  return Object.fromEntries(ids.flatMap((id) => (id in catalogue ? [[id, catalogue[id]]] : [])));
}
