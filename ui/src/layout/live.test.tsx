import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { affectedUrls } from "./live";
import { pass } from "../test/clock";
import { session } from "../test/families";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PARENT = "parent@example.com";

function liveBackend(): FakeBackend {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  return backend;
}

function setVisibility(state: "visible" | "hidden"): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  [
    "session 14",
    [
      "/api/sessions",
      "/api/sessions/14",
      "/api/children/talk_status",
      "/api/attention",
      "/api/child/7/alerts",
      "/api/child/7/curious",
      "/api/child/7/metrics",
      "/api/child/7/rules/receipts",
      "/api/child/7/search",
      "/api/child/7/talk_status",
    ],
  ],
  ["blocked_topics", ["/api/child/7/blocked_topics"]],
  ["activities", ["/api/child/7/activities"]],
  [
    "history",
    [
      "/api/child/7/alerts",
      "/api/child/7/history",
      "/api/child/7/talk_status",
      "/api/child/7/connections",
      "/api/household",
      "/api/attention",
    ],
  ],
  ["times", ["/api/child/7/times", "/api/child/7/metrics", "/api/child/7/talk_status"]],
  [
    "receipts",
    ["/api/child/7/rules/receipts", "/api/child/7/talk_status", "/api/child/7/connections", "/api/attention"],
  ],
  ["attention", ["/api/attention"]],
  ["connections", ["/api/child/7/connections"]],
  ["rules", ["/api/child/7/rules", "/api/child/7/connections"]],
  ["alerts", ["/api/child/7/alerts", "/api/child/7/not_worrying", "/api/alerts/unseen", "/api/attention"]],
  [
    "reviewer",
    ["/api/child/7/reviewer", "/api/child/7/for_child", "/api/household/requests", "/api/attention"],
  ],
  ["tries", ["/api/child/7/tries", "/api/child/7/for_child", "/api/attention"]],
  ["asking_devices", ["/api/auth/asking_devices"]],
  ["requests", ["/api/household/requests", "/api/child/7/retention"]],
  ["retention", ["/api/child/7/retention"]],
  ["born", ["/api/child/7/born", "/api/child/7/for_child"]],
  ["deleted_sessions", ["/api/child/7/deleted_sessions", "/api/child/7/retention"]],
  ["everything", null],
  ["what a later server says", null],
])("%s is refetched", (event, urls) => {
  expect(affectedUrls(7, event)).toEqual(urls);
});

test("a conversation in progress is updated, and Summary shows who is talking", async () => {
  const backend = liveBackend();
  const live = session(1, 1, 0, [["child", "Is anybody there?"]], { ended: false, assistant: "Kitchen" });
  backend.family(PARENT).sessions.splice(0, Infinity, live);
  const { router } = renderAt("/child/1/transcripts", { backend });
  const messages = await screen.findByRole("region", { name: "Messages" });
  expect(await within(messages).findByText("Is anybody there?")).toBeVisible();
  await waitFor(() => expect(backend.openStreams).toBe(1));

  live.messages.push({
    message_id: "new",
    source: "assistant",
    text_content: "I am here.",
    timestamp: new Date().toISOString(),
  });
  backend.sendEvents("session 1");

  expect(await within(messages).findByText("I am here.")).toBeVisible();
  await act(async () => router.navigate("/child/1/summary"));
  const line = await screen.findByRole("link", { name: "Talking with Kitchen now" });
  expect(line).toHaveAttribute("href", "/child/1/transcripts?session=1");
});

test("messages that arrive during the first fetch of a conversation appear", async () => {
  const backend = liveBackend();
  const live = session(1, 1, 0, [["child", "Is anybody there?"]], { ended: false });
  backend.family(PARENT).sessions.splice(0, Infinity, live);
  const messages = "/sessions/{sessionId}/messages";
  const { promise, resolve } = Promise.withResolvers<void>();
  backend.heldBack.set(messages, promise);
  renderAt("/child/1/transcripts", { backend });
  await waitFor(() => expect(backend.openStreams).toBe(1));
  await waitFor(() => expect(backend.calls.get(messages)).toBe(1));

  live.messages.push({
    message_id: "new",
    source: "assistant",
    text_content: "I am here.",
    timestamp: new Date().toISOString(),
  });
  const sessions = backend.calls.get("/sessions") ?? 0;
  backend.sendEvents("session 1");
  await waitFor(() => expect(backend.calls.get("/sessions")).toBeGreaterThan(sessions));
  resolve();

  expect(await screen.findByText("I am here.")).toBeVisible();
});

test.each([
  ["before the page was loaded, nothing is fetched again", Number.MAX_SAFE_INTEGER, 1],
  ["since, everything is", 0, 2],
])("when the last change was %s", async (_, unchangedForMs, times) => {
  const backend = liveBackend();
  backend.unchangedForMs = unchangedForMs;
  // The stream opens after the page's own request.
  const opening = Promise.withResolvers<void>();
  backend.heldBack.set("/child/{childId}/events", opening.promise);
  const calls = () => backend.calls.get("/child/{childId}/summary") ?? 0;
  renderAt("/child/1/summary", { backend });
  await screen.findByRole("heading", { name: /^Summary for/u });
  await waitFor(() => expect(calls()).toBe(1));
  opening.resolve();
  await waitFor(() => expect(backend.openStreams).toBe(1));

  await waitFor(() => expect(calls()).toBe(times));
  // The refetch for an event follows the refetch for the opened stream.
  const before = calls();
  backend.sendEvents("summary");
  await waitFor(() => expect(calls()).toBeGreaterThan(before));

  expect(calls()).toBe(times + 1);
});

test("another guardian's change of the block list appears, and a half-typed topic stays", async () => {
  const backend = liveBackend();
  const { user } = renderAt("/child/1/topic-blocklist", { backend });
  const input = await screen.findByPlaceholderText("Enter custom topic to block...");
  await user.type(input, "Half ty");
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const list = backend.family(PARENT).blockLists.get(1);
  if (list === undefined) throw new Error("There is no list.");

  list.topics = [...list.topics, "Volcanoes"];
  list.version += 1;
  backend.sendEvents("blocked_topics");

  expect(await screen.findByText("Volcanoes")).toBeVisible();
  expect(input).toHaveValue("Half ty");
});

test("a hidden page has no stream; when it becomes visible it refetches its data", async () => {
  const backend = liveBackend();
  renderAt("/child/1/summary", { backend });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  act(() => setVisibility("hidden"));
  await waitFor(() => expect(backend.openStreams).toBe(0));
  const before = backend.calls.get("/child/{childId}/summary") ?? 0;
  act(() => setVisibility("visible"));

  await waitFor(() => expect(backend.openStreams).toBe(1));
  await waitFor(() => expect(backend.calls.get("/child/{childId}/summary")).toBeGreaterThan(before));
});

test("a page whose stream is lost for more than ten seconds shows its age until it reconnects", async () => {
  // The fake clock can pass a request's time limit before the response arrives.
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const backend = liveBackend();
  renderAt("/child/1/summary", { backend });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  backend.outOfReach.add("/child/{childId}/events");
  backend.endStreams();
  // The first reconnect comes about one second after the stream is lost.
  await waitFor(() => expect(backend.calls.get("/child/{childId}/events")).toBe(2));
  await pass(7000);
  expect(screen.queryByText(/^Not live/u)).toBeNull();
  await pass(4000);
  expect(await screen.findByText(/^Not live\. Last updated \d+:\d\d [AP]M$/u)).toHaveRole("status");

  backend.outOfReach.clear();
  // Not longer than until it reconnects: the requests that follow have a time limit.
  while (backend.openStreams === 0) await pass(1000);
  await waitFor(() => expect(screen.queryByText(/^Not live/u)).toBeNull());
});
