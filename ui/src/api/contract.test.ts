/** One tool generates the client from the contract, another the types. This checks that their types agree. */
import { expectTypeOf, test } from "vitest";

import type {
  Child as ChildOfTheCalls,
  IssuedIdentity as IdentityOfTheCalls,
  MessagePage as MessagesOfTheCalls,
  SessionPage as SessionsOfTheCalls,
} from "./generated/client/porchlight.schemas";
import type { components, operations } from "./generated/schema";

type Schemas = components["schemas"];

test("both tools generate the same types", () => {
  expectTypeOf<ChildOfTheCalls>().toEqualTypeOf<Schemas["Child"]>();
  expectTypeOf<SessionsOfTheCalls>().toEqualTypeOf<Schemas["SessionPage"]>();
  expectTypeOf<MessagesOfTheCalls>().toEqualTypeOf<Schemas["MessagePage"]>();
  expectTypeOf<IdentityOfTheCalls>().toEqualTypeOf<Schemas["IssuedIdentity"]>();
});

test("the contract has the header that counts unreadable rows", () => {
  type Headers<Operation extends keyof operations> = operations[Operation] extends {
    responses: { 200: { headers: infer Known } };
  }
    ? Known
    : never;
  // openapi-typescript takes every shared header for one that is always there.
  type Counted = { "Unreadable-Rows": number; [name: string]: unknown };
  type Linked = { "Unreadable-Rows": number; Link?: string; [name: string]: unknown };

  expectTypeOf<Headers<"listSessions">>().toEqualTypeOf<Counted>();
  expectTypeOf<Headers<"listMessages">>().toEqualTypeOf<Counted>();
  expectTypeOf<Headers<"listCompletedActivities">>().toEqualTypeOf<Linked>();
  expectTypeOf<Headers<"listUpcomingActivities">>().toEqualTypeOf<Counted>();
});
