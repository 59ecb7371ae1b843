import { HttpResponse, http as mock } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { download } from "./download";
import { getExportChildUrl } from "./generated/client/retention/retention";
import { http } from "./http";
import { StepUpCancelled } from "./problem";
import { provideStepUp } from "./step-up";
import { FakeBackend } from "../test/fake-backend";
import { stepUpNeeded } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { server } from "../test/server";
import { stepUpOperations } from "../test/step-up-operations";

const REFUSED = /status 403/u;

/** A backend that refuses every call but those of the sign-in until the guardian has stepped up. */
function cautious() {
  const backend = new FakeBackend();
  backend.signedInAs = "parent@example.com";
  const sent: string[] = [];
  const state = { steppedUp: false, sent };
  server.use(
    mock.post("/api/auth/token", async () => undefined),
    mock.all("/api/*", async ({ request }) => {
      if (new URL(request.url).pathname === "/api/auth/token") return undefined;
      sent.push(await request.text());
      return state.steppedUp ? HttpResponse.json({}) : stepUpNeeded();
    }),
    ...backend.handlers,
  );
  return state;
}

let takeBack = () => {};
afterEach(() => takeBack());

/** Answers the dialog. */
function provide(answer: () => Promise<boolean>) {
  const ask = vi.fn<() => Promise<boolean>>(answer);
  takeBack = provideStepUp(ask);
  return ask;
}

test("a refused request waits for the guardian, and is sent again as it was", async () => {
  expectLogged(REFUSED);
  const backend = cautious();
  const ask = provide(async () => (backend.steppedUp = true));

  const answer = await http<{ status: number }>("/api/assistants", {
    method: "POST",
    body: '{"name":"Attic"}',
  });

  expect(answer.status).toBe(200);
  expect(ask).toHaveBeenCalledOnce();
  expect(backend.sent).toEqual(['{"name":"Attic"}', '{"name":"Attic"}']);
});

test("two requests share one dialog", async () => {
  expectLogged(REFUSED);
  const backend = cautious();
  const answered = Promise.withResolvers<boolean>();
  const ask = provide(() => answered.promise);

  const requests = [http("/api/one", { method: "PUT" }), http("/api/other", { method: "PUT" })];
  await vi.waitFor(() => expect(backend.sent).toHaveLength(2));
  backend.steppedUp = true;
  answered.resolve(true);

  await Promise.all(requests);
  expect(ask).toHaveBeenCalledOnce();
});

test("without a step-up the request is rejected, and a later one asks anew", async () => {
  expectLogged(REFUSED);
  const backend = cautious();
  const ask = provide(async () => false);

  await expect(http("/api/one", { method: "PUT" })).rejects.toBeInstanceOf(StepUpCancelled);
  await expect(http("/api/one", { method: "PUT" })).rejects.toBeInstanceOf(StepUpCancelled);

  expect(ask).toHaveBeenCalledTimes(2);
  expect(backend.sent).toHaveLength(2);
});

test("what is refused for another reason asks nobody", async () => {
  const backend = new FakeBackend();
  backend.signedInAs = "parent@example.com";
  server.use(
    mock.put("/api/one", () => HttpResponse.json({ detail: "Not from here." }, { status: 403 })),
    ...backend.handlers,
  );
  const ask = provide(async () => true);

  await expect(http("/api/one", { method: "PUT" })).rejects.toMatchObject({ status: 403 });

  expect(ask).not.toHaveBeenCalled();
});

const client = import.meta.glob<Record<string, unknown>>("./generated/client/*/*.ts", { eager: true });

/** Every generated call, by its name in the contract. */
const operations = new Map(Object.values(client).flatMap((file) => Object.entries(file)));

test("there are operations that need stepping up", () => {
  expect(stepUpOperations.length).toBeGreaterThan(10);
});

test.each(stepUpOperations)("%s asks for it", async (operation) => {
  expectLogged(REFUSED);
  const backend = cautious();
  const ask = provide(async () => (backend.steppedUp = true));
  const call = operation === "exportChild" ? () => download(getExportChildUrl(1)) : operations.get(operation);

  if (typeof call !== "function") throw new Error(`The client has no ${operation}.`);
  await call(1, 1, {});

  expect(ask).toHaveBeenCalledOnce();
});
