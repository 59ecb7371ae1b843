import { HttpResponse, http as mock } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { http } from "./http";
import { dropToken, holdRequestsUntil, storeIdentity, subscribeToIdentity } from "./identity-token";
import { NotSignedIn, RequestFailed, isUnreachable } from "./problem";
import { FakeBackend } from "../test/fake-backend";
import { server } from "../test/server";

const EMAIL = "parent@example.com";

function signedIn(): FakeBackend {
  const backend = new FakeBackend();
  backend.signedInAs = EMAIL;
  server.use(...backend.handlers);
  return backend;
}

function listChildren(): Promise<{ status: number }> {
  return http("/api/children", { method: "GET" });
}

afterEach(() => {
  vi.useRealTimers();
});

test("concurrent requests share one token request, and later ones use its token", async () => {
  const backend = signedIn();

  await Promise.all([listChildren(), listChildren(), listChildren()]);
  await listChildren();

  expect(backend.calls.get("/children")).toBe(4);
  expect(backend.calls.get("/auth/token")).toBe(1);
});

test("a token that is about to expire is renewed", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const backend = signedIn();
  await listChildren();

  vi.setSystemTime(Date.now() + 539_000);
  await listChildren();
  expect(backend.calls.get("/auth/token")).toBe(1);

  vi.setSystemTime(Date.now() + 2000);
  await listChildren();
  expect(backend.calls.get("/auth/token")).toBe(2);
});

test("a request made while signing out waits, and is rejected without being sent", async () => {
  const backend = signedIn();
  await listChildren();
  const signOut = Promise.withResolvers<undefined>();

  const signingOut = holdRequestsUntil(signOut.promise);
  const request = listChildren();
  signOut.resolve(undefined);
  await signingOut;

  await expect(request).rejects.toBeInstanceOf(NotSignedIn);
  expect(backend.calls.get("/children")).toBe(1);
});

test("a request made while signing out is sent if that fails", async () => {
  const backend = signedIn();
  const signOut = Promise.withResolvers<undefined>();

  const signingOut = holdRequestsUntil(signOut.promise);
  const request = listChildren();
  signOut.reject(new Error("The server can't be reached."));

  await expect(signingOut).rejects.toThrow("can't be reached");
  await expect(request).resolves.toMatchObject({ status: 200 });
  expect(backend.calls.get("/children")).toBe(1);
});

test("a token from the future is replaced, because the clock was turned back", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const backend = signedIn();
  await listChildren();

  vi.setSystemTime(Date.now() - 3_600_000);
  await listChildren();

  expect(backend.calls.get("/auth/token")).toBe(2);
});

test.each([
  ["there is no refresh cookie", null, true],
  ["the refresh cookie no longer holds", EMAIL, false],
])("when %s the request is not made and nobody is signed in", async (_why, email, holds) => {
  const backend = signedIn();
  backend.signedInAs = email;
  backend.cookieHolds = holds;
  const listener = vi.fn<(guardian: unknown) => void>();
  const unsubscribe = subscribeToIdentity(listener);

  await expect(listChildren()).rejects.toBeInstanceOf(NotSignedIn);

  expect(listener).toHaveBeenCalledExactlyOnceWith(null);
  expect(backend.calls.get("/children")).toBeUndefined();
  unsubscribe();
});

test.each([
  ["no answer", () => HttpResponse.error(), undefined],
  ["a 503", () => HttpResponse.json({ detail: "Not now." }, { status: 503 }), 503],
  ["a 429", () => HttpResponse.json({ detail: "Too often." }, { status: 429 }), 429],
])("%s from the token endpoint rejects the request and signs nobody out", async (_what, answer, status) => {
  signedIn();
  server.use(mock.post("/api/auth/token", answer));
  const listener = vi.fn<(guardian: unknown) => void>();
  const unsubscribe = subscribeToIdentity(listener);

  const failure: unknown = await listChildren().catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(RequestFailed);
  expect(failure).toHaveProperty("status", status);
  expect(listener).not.toHaveBeenCalled();
  unsubscribe();
});

test.each(["/api/children", "/api/auth/token"])(
  "a captive portal's response at %s is an error, and signs nobody out",
  async (path) => {
    signedIn();
    server.use(mock.all(path, () => HttpResponse.html("<h1>Welcome to our hotel</h1>")));
    const listener = vi.fn<(guardian: unknown) => void>();
    const unsubscribe = subscribeToIdentity(listener);

    const failure: unknown = await listChildren().catch((error: unknown) => error);

    expect(isUnreachable(failure)).toBe(true);
    expect(listener).not.toHaveBeenCalledWith(null);
    unsubscribe();
  },
);

test("a token that is rejected early is replaced once, and the request is repeated", async () => {
  const backend = signedIn();
  let refusals = 0;
  server.use(
    mock.get("/api/children", () => {
      refusals += 1;
      return refusals === 1 ? HttpResponse.json({ detail: "Please sign in." }, { status: 401 }) : undefined;
    }),
  );

  await expect(listChildren()).resolves.toHaveProperty("status", 200);

  expect(backend.calls.get("/auth/token")).toBe(2);
});

test("requests that are rejected with the same token share the next one", async () => {
  const backend = signedIn();
  await listChildren();
  const { promise: bothAsked, resolve: letGo } = Promise.withResolvers<void>();
  let asked = 0;
  server.use(
    mock.get("/api/children", async () => {
      asked += 1;
      if (asked > 2) return undefined;
      if (asked === 2) letGo();
      await bothAsked;
      return HttpResponse.json({ detail: "Please sign in." }, { status: 401 });
    }),
  );

  const answers = await Promise.all([listChildren(), listChildren()]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(backend.calls.get("/auth/token")).toBe(2);
});

test("a request whose token was dropped while it was issued continues with the next one", async () => {
  const backend = signedIn();

  const overtaken = listChildren();
  dropToken();

  await expect(overtaken).resolves.toHaveProperty("status", 200);
  expect(backend.calls.get("/auth/token")).toBe(2);
});

test("a request is never made with the token of another guardian who signed in meanwhile", async () => {
  const backend = signedIn();

  const overtaken = listChildren();
  const guardian = { id: "another", email: "another@example.com" };
  storeIdentity({ identity_token: "another's", expires_in: 600, guardian });

  await expect(overtaken).rejects.toThrow("You are not signed in.");
  expect(backend.calls.get("/children")).toBeUndefined();
});

test("the sign-in calls need no token", async () => {
  const backend = signedIn();
  backend.signedInAs = null;

  await expect(
    http("/api/auth/link", { method: "POST", body: JSON.stringify({ email: EMAIL }) }),
  ).resolves.toHaveProperty("status", 202);

  expect(backend.calls.get("/auth/token")).toBeUndefined();
});
