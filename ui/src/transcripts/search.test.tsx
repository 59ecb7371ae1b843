import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";

import { excerptOf, partsOf } from "./marks";
import type { Match } from "./use-search";
import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const MINUTE = 60_000;

function searchedBackend() {
  const backend = new FakeBackend();
  const many = Array.from({ length: 300 }, (_, index): [string, string] => [
    "child",
    index === 240 ? "An octopus at last" : `Number ${index}`,
  ]);
  backend.family("parent@example.com").sessions = [
    session(3, 1, MINUTE, [["child", "Why?"]], { topic: "Moon" }),
    session(
      2,
      1,
      60 * MINUTE,
      [
        ["child", "Did you know octopuses have three hearts"],
        ["assistant", "An octopus does."],
      ],
      { topic: "The sea" },
    ),
    session(1, 1, 120 * MINUTE, many, { topic: "Counting" }),
  ];
  return backend;
}

async function results() {
  return within(await screen.findByRole("region", { name: "Search results" }));
}

test("matches are listed by session, with the words marked, and announced", async () => {
  const { user } = await searchFor("octopus");

  const found = await results();
  expect(await found.findByText("3 matches in 2 conversations")).toHaveAttribute("role", "status");
  const sea = within(found.getByRole("region", { name: /The sea/u }));
  expect(sea.getAllByRole("link")).toHaveLength(2);
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "octopus",
    "octopus",
    "octopus",
  ]);
  expect(screen.queryByRole("region", { name: "Conversations" })).not.toBeInTheDocument();
  await user.clear(screen.getByRole("searchbox"));
  expect(await screen.findByRole("region", { name: "Conversations" })).toBeVisible();
});

test("the keyboard opens the search, moves through the matches and opens one", async () => {
  const user = userEvent.setup();
  renderAt("/child/1/transcripts", { backend: searchedBackend() });
  await screen.findByRole("region", { name: "Conversations" });

  await user.keyboard("/octopus");
  const box = screen.getByRole("searchbox", { name: "Search transcripts" });
  expect(box).toHaveFocus();
  await (await results()).findByText("3 matches in 2 conversations");
  await user.keyboard("{ArrowDown}");
  expect(screen.getByRole("link", { name: /An octopus does/u })).toHaveFocus();
  await user.keyboard("{ArrowDown}{ArrowUp}{Enter}");

  expect(await screen.findByRole("heading", { name: "Transcript: The sea" })).toBeVisible();
  expect(screen.getByText("2 of 2")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Previous match" }));
  expect(await screen.findByText("1 of 2")).toBeVisible();
  await user.click(box);
  await user.keyboard("{Escape}");
  expect(box).toHaveValue("");
});

test("Enter opens the first match of the current text, not of the previous one", async () => {
  const { user, path } = await searchFor("number");
  await (await results()).findByText(/matches in 1 conversation/u);

  const box = screen.getByRole("searchbox");
  await user.clear(box);
  await user.type(box, "octopus{Enter}");

  await waitFor(() => expect(path()).toBe("/child/1/transcripts?session=2"));
});

test("Enter during IME composition opens nothing", async () => {
  const { path } = await searchFor("octopus");
  await (await results()).findByText("3 matches in 2 conversations");

  fireEvent.keyDown(screen.getByRole("searchbox"), { key: "Enter", isComposing: true });
  await new Promise((resolve) => setTimeout(resolve));

  expect(path()).toBe("/child/1/transcripts");
});

test("the shortcut / can be switched off, and is then a normal character", async () => {
  const user = userEvent.setup();
  const { unmount } = renderAt("/child/1/transcripts", { backend: searchedBackend() });
  await screen.findByRole("region", { name: "Conversations" });
  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(
    screen.getByRole("menuitemcheckbox", { name: "The key / opens the search", checked: true }),
  );
  await user.keyboard("{Escape}/");
  expect(screen.getByRole("searchbox")).not.toHaveFocus();
  expect(screen.getByRole("searchbox")).not.toHaveAttribute("aria-keyshortcuts");

  unmount();
  renderAt("/child/1/transcripts", { backend: searchedBackend() });
  await screen.findByRole("region", { name: "Conversations" });
  await user.keyboard("/");
  expect(screen.getByRole("searchbox")).not.toHaveFocus();
});

test("a phone isn't told of a key", async () => {
  const before: unknown = Reflect.get(globalThis, "matchMedia");
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  onTestFinished(() => void vi.stubGlobal("matchMedia", before));
  const { user } = renderAt("/child/1/transcripts", { backend: searchedBackend() });

  await user.click(await screen.findByRole("button", { name: "Your account" }));

  expect(screen.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  expect(screen.queryByRole("menuitemcheckbox")).toBeNull();
});

test("a session that another guardian erases is removed from the results", async () => {
  const backend = searchedBackend();
  backend.opensStreams = true;
  const user = userEvent.setup();
  renderAt("/child/1/transcripts?session=3", { backend });
  await user.type(await screen.findByRole("searchbox", { name: "Search transcripts" }), "octopus");
  await (await results()).findByText("3 matches in 2 conversations");
  await waitFor(() => expect(backend.openStreams).toBe(1));

  backend.family("parent@example.com").sessions.splice(1, 1);
  backend.sendEvents("session 2");

  expect(await (await results()).findByText("1 match in 1 conversation")).toBeVisible();
  expect(screen.queryByText(/three hearts/u)).toBeNull();
});

test("a match far down a long conversation is loaded with the surrounding messages", async () => {
  const { backend, user } = await searchFor("octopus last");

  await user.click(await (await results()).findByRole("link", { name: /An octopus at last/u }));

  await screen.findByRole("heading", { name: "Transcript: Counting" });
  await waitFor(() => expect(backend.calls.get("/sessions/{sessionId}/messages")).toBeGreaterThan(2));
});

test("a search without results, and an invalid search, show a message", async () => {
  expectLogged(/status 422/u);
  const { user } = await searchFor("zebra");
  expect(await (await results()).findByText("Nothing was found.")).toBeVisible();

  server.use(
    http.post("/api/child/1/search", () => HttpResponse.json({ detail: "Not so fast." }, { status: 422 })),
  );
  await user.type(screen.getByRole("searchbox"), "s");
  expect(await (await results()).findByText("Not so fast.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a message that had the words before it was corrected is found, and shows what it says now", async () => {
  const backend = searchedBackend();
  const [moon] = backend.family("parent@example.com").sessions;
  const [why] = moon?.messages ?? [];
  if (why === undefined) throw new Error("Nothing was said.");
  const until = new Date(2026, 10, 29, 12).toISOString();
  why.earlier = [{ source: "assistant", text_content: "It is our secret", until }];
  const { user } = await searchFor("secret", backend);

  const link = await (await results()).findByRole("link", { name: /It is our secret/u });
  expect(link).toHaveTextContent(/^assistant: Corrected on Nov 29(, 2026)?\. Before:It is our secret$/u);
  await user.click(link);

  await screen.findByRole("heading", { name: "Transcript: Moon" });
  expect(await screen.findByText("Why?")).toBeVisible();
});

async function searchFor(words: string, backend = searchedBackend()) {
  const user = userEvent.setup();
  const rendered = renderAt("/child/1/transcripts", { backend });
  await user.type(await screen.findByRole("searchbox", { name: "Search transcripts" }), words);
  return { ...rendered, user };
}

function match(text: string, ...ranges: [number, number][]): Match {
  return { session_id: 1, message_id: "1", timestamp: "2026-11-21T16:00:00Z", text_content: text, ranges };
}

test("a text is split at its ranges, which are in UTF-16 units", () => {
  expect(partsOf(match("🐙 octopus!", [3, 10]))).toEqual([
    { text: "🐙 ", marked: false },
    { text: "octopus", marked: true },
    { text: "!", marked: false },
  ]);
  expect(partsOf(match("\u202Eoctopus", [1, 8]))[0]?.text).toBe("[RLO]");
});

test("an excerpt begins shortly before the first word", () => {
  const text = `${"word ".repeat(40)}octopus end`;
  const [before, word] = excerptOf(match(text, [200, 207]));

  expect(before?.text).toMatch(/^…word/u);
  expect(before?.text.length).toBeLessThan(45);
  expect(word).toEqual({ text: "octopus", marked: true });
});
