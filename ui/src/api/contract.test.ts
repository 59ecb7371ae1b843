/** What generates the client and the types leaves out what the UI doesn't use. This checks that the rest is used, and exact. */
import { expect, expectTypeOf, test } from "vitest";

import type { listChildrenResponse200 } from "./generated/client/children/children";
import type { ListMessagesParams } from "./generated/client/porchlight.schemas";
import configuration from "../../orval.config.ts?raw";
import type { components, paths } from "./generated/schema";

type Schemas = components["schemas"];

test("an operation has the types of its body and its answer", () => {
  expectTypeOf<paths["/children"]>().toEqualTypeOf<{
    get: { answer: Schemas["Child"][] };
    post: { body: Schemas["AddChildRequest"]; answer: Schemas["Child"] };
  }>();
  expectTypeOf<paths["/child/{childId}/summary"]["get"]["answer"]>().toEqualTypeOf<
    Schemas["Summary"] | null
  >();
  expectTypeOf<paths["/alerts/seen"]>().toEqualTypeOf<{ put: { body: Schemas["SeenAlerts"] } }>();
});

test("the client has the same types", () => {
  expectTypeOf<listChildrenResponse200["data"]>().toEqualTypeOf<Schemas["Child"][]>();
  expectTypeOf<ListMessagesParams["limit"]>().toEqualTypeOf<number | undefined>();
});

const client = import.meta.glob<string>("./generated/client/*/*.ts", {
  eager: true,
  query: "?raw",
  import: "default",
});
const code = import.meta.glob<string>(["../**/*.{ts,tsx}", "!./generated/**", "!../**/*.test.{ts,tsx}"], {
  eager: true,
  query: "?raw",
  import: "default",
});
const importedFromClient = new Set(
  Object.values(code).flatMap((text) =>
    [...text.matchAll(/import \{([^}]+)\} from "[^"]*generated\/client\/[^"]+"/gu)].flatMap(
      ([, names = ""]) => names.match(/\w+/gu) ?? [],
    ),
  ),
);

const isUsed = (name: string) => importedFromClient.has(name);

const operations = Object.values(client).flatMap((text) => {
  const exported = [...text.matchAll(/^export (?:const|function) (\w+)/gmu)].flatMap(
    ([, name]) => name ?? [],
  );
  return [...text.matchAll(/^export const (\w+) = async/gmu)].map(([, name = ""]) => {
    const named = (suffix: string) =>
      exported.filter((one) => new RegExp(`^(?:use|get)${name}${suffix}$`, "iu").test(one));
    const hooks = [
      named("(?:(?:Query|Mutation)(?:Options|Key))?"),
      named("Infinite(?:Query(?:Options|Key))?"),
    ];
    return { name, hooks: hooks.filter((names) => names.length > 0), calls: [name, ...named("Url")] };
  });
});

test("every operation of the client is used", () => {
  const unused = operations.filter(({ hooks, calls }) => ![...hooks.flat(), ...calls].some(isUsed));
  expect(
    unused.map(({ name }) => name),
    "`leftOut` in orval.config.ts leaves it out of the client",
  ).toEqual([]);
});

test("every hook, or its options, are used", () => {
  const unused = operations.flatMap(({ hooks }) => hooks.filter((names) => !names.some(isUsed)));
  expect(unused, "`withoutHook` in orval.config.ts generates the operation without").toEqual([]);
});

test("the list of operations without a hook names none that isn't there", () => {
  const listed = /withoutHook = \[([^\]]+)\]/u.exec(configuration)?.[1]?.match(/\w+/gu);
  expect(
    operations
      .filter(({ hooks }) => hooks.length === 0)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(listed);
});
