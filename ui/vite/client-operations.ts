import { readFileSync } from "node:fs";

import type { Plugin } from "vite";

/** In front of an operation's number in its file. */
const OPERATION = "?operation=";

/** A function that each file has. All operations share the one of any file. */
const HELPER = /^const withQueryKey = .*?^\};\n/msu;
const HELPER_MODULE = "porchlight:with-query-key.ts";

/** Makes a module of each operation of the generated client, so that a chunk has those operations that its own modules call. */
export function clientOperations(): Plugin {
  let helper = "";
  const load = (id: string): string => {
    if (id === HELPER_MODULE) return `export ${helper}`;
    const [file = "", number] = id.split(OPERATION);
    const [head = "", ...operations] = sections(readFileSync(file, "utf8"));
    if (number === undefined)
      return operations
        .map((operation, at) => `export { ${exportsOf(operation)} } from "${file}${OPERATION}${at}";`)
        .join("\n");
    helper = HELPER.exec(head)?.[0] ?? helper;
    return `${head.replace(HELPER, `import { withQueryKey } from "${HELPER_MODULE}";\n`)}${operations[Number(number)]}`;
  };
  return {
    name: "porchlight:client-operations",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /\?operation=\d+$|^porchlight:with-query-key/u },
      handler: (id) => id,
    },
    load: {
      filter: {
        id: /\/src\/api\/generated\/client\/[^/]+\/[^/]+\.ts(?:\?operation=\d+)?$|^porchlight:with-query-key/u,
      },
      // Without side effects, so that a chunk needs no module of which it uses nothing.
      handler: (id) => ({ code: load(id), moduleSideEffects: false }),
    },
  };
}

/** What all operations of a file need, then each operation. It begins with the types of its answers. */
function sections(text: string): string[] {
  const starts = new Map<string | undefined, number>();
  for (const { index, groups } of text.matchAll(/^export type (?<operation>\w+)Response\d{3} = /gmu))
    if (!starts.has(groups?.["operation"])) starts.set(groups?.["operation"], index);
  const bounds = [0, ...starts.values()];
  if (bounds.length === 1 || exportsOf(text.slice(0, bounds[1])) !== "")
    throw new Error("The generated client has another form: adapt vite/client-operations.ts.");
  return bounds.map((start, at) => text.slice(start, bounds[at + 1]));
}

function exportsOf(operation: string): string {
  const found = operation.matchAll(/^export (?:const|function) (?<name>\w+)/gmu);
  return [...new Set([...found].map(({ groups }) => groups?.["name"]))].join(", ");
}
