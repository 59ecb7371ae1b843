import { expect, test } from "vitest";

import { RequestFailed, isTransient, errorMessage, needsStepUp } from "./problem";

const FALLBACK = "An unknown error occurred while fetching children.";

test.each<[string, unknown, string]>([
  [
    "the server's detail",
    new RequestFailed("status", { status: 422, body: { detail: "Too short." } }),
    "Too short.",
  ],
  ["the error's message", new RequestFailed("No connection."), "No connection."],
  ["the error's message when detail is blank", new RequestFailed("m", { body: { detail: " " } }), "m"],
  ["the error's message when detail is no text", new RequestFailed("m", { body: { detail: 7 } }), "m"],
  ["the error's message, never a message field", new RequestFailed("m", { body: { message: "n" } }), "m"],
  ["any error's message", new TypeError("Failed to fetch"), "Failed to fetch"],
  [
    "the default for a status without the server's words",
    new RequestFailed("The server answered with status 502.", { status: 502, body: {} }),
    FALLBACK,
  ],
  ["the default for an error without words", new RequestFailed(""), FALLBACK],
  ["the default for what is no error", "a text", FALLBACK],
  ["the default for nothing", undefined, FALLBACK],
])("shown is %s", (_what, error, sentence) => {
  expect(errorMessage(error, FALLBACK)).toBe(sentence);
});

test.each<[string, unknown, string]>([
  ["detail before message", { detail: "d", message: "m" }, "d"],
  ["message before the error's own", { message: "m" }, "m"],
  ["the error's own at last", {}, "own"],
])("feedback and the block list show %s", (_what, body, sentence) => {
  expect(errorMessage(new RequestFailed("own", { body }), { fallback: FALLBACK, alsoMessage: true })).toBe(
    sentence,
  );
});

test.each([
  [undefined, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [404, false],
])("an error with status %s is transient: %s", (status, passes) => {
  expect(isTransient(new RequestFailed("", { ...(status !== undefined && { status }) }))).toBe(passes);
});

test.each<[string, unknown, boolean]>([
  ["the code that asks for it", { detail: "d", code: "step_up_required" }, true],
  ["a credential of another kind", { detail: "d", code: "not_an_identity_token" }, false],
  ["a proxy's page", "<html>", false],
])("a 403 with %s needs stepping up: %s", (_what, body, needed) => {
  expect(needsStepUp(new RequestFailed("", { status: 403, body }))).toBe(needed);
});
