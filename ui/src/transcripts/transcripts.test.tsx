import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";

import { listed } from "./queries";
import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { requestsTo } from "../test/requests";
import { server } from "../test/server";

const PARENT = "parent@example.com";
const MINUTE = 60_000;

afterEach(() => vi.useRealTimers());

function messages() {
  return screen.findByRole("region", { name: "Messages" });
}

async function bubbles() {
  return within(await messages()).findAllByRole("listitem");
}

async function sessionLinks() {
  const region = await screen.findByRole("region", { name: "Conversations" });
  const [list] = await within(region).findAllByRole("list");
  if (list === undefined) throw new Error("There is no list.");
  return within(list).findAllByRole("link");
}

/** A backend with one child, which has these sessions, newest first. */
function backendWith(...sessions: ReturnType<typeof session>[]) {
  const backend = new FakeBackend();
  backend.family(PARENT).sessions = sessions;
  return backend;
}

/** The same, with streams of events. */
function liveBackendWith(...sessions: ReturnType<typeof session>[]) {
  const backend = backendWith(...sessions);
  backend.opensStreams = true;
  return backend;
}

test("the sessions are listed with topic and date, and the first is selected and loaded", async () => {
  renderAt("/child/1/transcripts");

  const links = await sessionLinks();
  expect(links[0]).toHaveTextContent("Moon and stars");
  expect(links[0]).toHaveTextContent(new Date(Date.now() - 25 * MINUTE).toLocaleDateString());
  expect(links[0]).toHaveAttribute("aria-current", "true");
  expect(screen.getByRole("heading", { name: "Transcript: Moon and stars" })).toBeVisible();
  expect(
    await within(await messages()).findByText("Why does the moon follow our car when we drive?"),
  ).toBeVisible();
});

test("sessions with the same topic are distinguished by time and length, in the menu by the number of messages", async () => {
  const lines: [string, string, number?][] = [
    ["child", "Why?"],
    ["assistant", "Because.", 720],
  ];
  const today = session(1, 1, 0, lines, { topic: "Moon", device: "Kitchen", assistant: "Nestor" });
  const older = session(2, 1, 0, lines.slice(0, 1), { topic: "Moon", start_time: "2026-01-02T12:05:00Z" });
  const { user } = renderAt("/child/1/transcripts", { backend: backendWith(today, older) });

  const [first, second] = await sessionLinks();
  const start = new Date(today.start_time ?? "");
  const time = start.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
  const details = `Today, ${start.toLocaleDateString()}, ${time} · 12 min · Kitchen, Nestor`;
  expect(first).toHaveTextContent(
    `MoonToday ${time} ${start.toLocaleDateString()} · 12 min · Kitchen, Nestor`,
  );
  expect(second).not.toHaveTextContent("Today");
  const heading = screen.getByRole("heading", { name: "Transcript: Moon" });
  expect(heading.closest("header")).toHaveTextContent(details);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  expect(screen.getByText("2 messages")).toBeVisible();
});

test("a session without a start and a topic has a date, and the child's first words below its title", async () => {
  const said = session(1, 1, 0, [
    ["assistant", "Hello!"],
    ["child", "Why does lava glow?"],
  ]);
  delete said.start_time;
  const empty = session(2, 1, 0, []);
  delete empty.start_time;
  renderAt("/child/1/transcripts", { backend: backendWith(said, empty) });

  const [first, second] = await sessionLinks();
  expect(first).toHaveTextContent(/^Session Topic 1Why does lava glow\?Today /u);
  expect(second).toHaveTextContent(/^Session Topic 2 Unknown date0 messages$/u);
  const heading = screen.getByRole("heading", { name: "Transcript: Session Topic 1" });
  expect(heading.parentElement).not.toHaveTextContent("Unknown date");
});

test("list items have their position; End and Home move the focus", async () => {
  const sessions = Array.from({ length: 40 }, (_, index) => session(40 - index, 1, index * MINUTE, []));
  const { user } = renderAt("/child/1/transcripts", { backend: backendWith(...sessions) });
  const [first] = await sessionLinks();
  expect(first?.closest("li")).toHaveAttribute("aria-setsize", "40");
  expect(first?.closest("li")).toHaveAttribute("aria-posinset", "1");

  first?.focus();
  await user.keyboard("{End}");
  expect(document.activeElement?.closest("li")).toHaveAttribute("aria-posinset", "40");
  await user.keyboard("{Home}");

  expect(document.activeElement?.closest("li")).toHaveAttribute("aria-posinset", "1");
});

test("a bubble names the recognised voice", async () => {
  const heard = session(1, 1, 0, [["child", "Why?"]], { topic: "Moon" });
  heard.messages = heard.messages.map((message) => ({ ...message, speaker: "Leo" }));
  renderAt("/child/1/transcripts", { backend: backendWith(heard) });

  expect(await within(await messages()).findByText("Voice:", { exact: false })).toHaveTextContent(
    "Voice: Leo",
  );
});

test("an old session without a topic has the same number in the address and in the list", async () => {
  const sessions = Array.from({ length: 130 }, (_, index) => session(130 - index, 1, index * MINUTE, []));
  const { backend } = renderAt("/child/1/transcripts?session=9", { backend: backendWith(...sessions) });

  expect(await screen.findByRole("heading", { name: "Transcript: Session Topic 122" })).toBeVisible();
  expect(backend.calls.get("/sessions")).toBe(3);
});

test("the search for a session's number ends after twenty pages", async () => {
  const sessions = Array.from({ length: 1100 }, (_, index) => session(1100 - index, 1, index * MINUTE, []));
  const { backend } = renderAt("/child/1/transcripts?session=9", { backend: backendWith(...sessions) });

  await waitFor(() => expect(backend.calls.get("/sessions")).toBe(20));
  expect(await screen.findByRole("heading", { name: "Transcript: Session Topic" })).toBeVisible();
  expect(backend.calls.get("/sessions")).toBe(20);
});

test("only the selected session is a tab stop, and the arrow keys move between sessions", async () => {
  const { user } = renderAt("/child/1/transcripts?session=102");
  await screen.findByRole("heading", { name: "Transcript: Fractions with pizza" });
  const links = await sessionLinks();
  expect(links.map(({ tabIndex }) => tabIndex).slice(0, 3)).toEqual([-1, 0, -1]);

  act(() => links[1]?.focus());
  await user.keyboard("{ArrowDown}");
  expect(links[2]).toHaveFocus();
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(links[0]).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Transcript: Moon and stars" })).toBeVisible();
  expect(links[0]).toHaveFocus();
});

test("a tapped session is in the address and shown, and back returns to the previous one", async () => {
  const { user, path, router } = renderAt("/child/1/transcripts");

  await user.click(await screen.findByRole("link", { name: /Session Topic 3/u }));

  expect(await screen.findByRole("heading", { name: "Transcript: Session Topic 3" })).toBeVisible();
  expect(path()).toBe("/child/1/transcripts?session=103");
  await router.navigate(-1);
  expect(await screen.findByRole("heading", { name: "Transcript: Moon and stars" })).toBeVisible();
});

test("an old session in the address is requested separately, regardless of the number of newer ones", async () => {
  const { backend } = renderAt("/child/1/transcripts?session=1069");

  expect(await screen.findByRole("heading", { name: "Transcript: How bees find home" })).toBeVisible();
  expect(backend.calls.get("/sessions")).toBe(1);
  expect(backend.calls.get("/sessions/{sessionId}")).toBe(1);
});

test("a session in the address that is no number shows the first one", async () => {
  renderAt("/child/2/transcripts?session=nowhere");

  expect(await screen.findByRole("heading", { name: "Transcript: Dinosaurs" })).toBeVisible();
});

test.each([
  ["is deleted", "999999"],
  ["is another child's", "101"],
])("a link to a conversation that %s says so, and opens no other one", async (_what, named) => {
  expectLogged(/status 404/u);
  renderAt(`/child/2/transcripts?session=${named}`);

  expect(await screen.findByText("This conversation was deleted, or moved to another child.")).toBeVisible();
  expect(screen.queryByRole("heading", { name: /^Transcript:/u })).toBeNull();
  expect(await screen.findByRole("link", { name: /Dinosaurs/u })).toBeVisible();
});

test("a session in the address is shown even if the list can't be loaded", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/sessions");
  renderAt("/child/1/transcripts?session=1069", { backend });

  // The list's failure arrives independently and rerenders the page.
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Transcript: How bees find home" })).toBeVisible(),
  );
  // The region that was found may be replaced meanwhile.
  await waitFor(() => {
    const region = screen.getByRole("region", { name: "Messages" });
    expect(within(region).getAllByRole("listitem")).not.toHaveLength(0);
  });
});

test("a failed request for the session in the address shows an error and a retry", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/sessions/{sessionId}");
  const { user } = renderAt("/child/1/transcripts?session=1069", { backend });

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Error loading transcript: The server can't be reached. Please check your connection.",
  );
  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Transcript: How bees find home" })).toBeVisible();
});

test("when the child changes, its own sessions are shown and its first is selected", async () => {
  const { user } = renderAt("/child/1/transcripts");

  await user.selectOptions(await screen.findByRole("combobox", { name: "Child" }), "Noah");

  expect(await screen.findByRole("heading", { name: "Transcript: Dinosaurs" })).toBeVisible();
  expect(screen.queryByText("Moon and stars")).toBeNull();
});

test("without sessions the page has an empty state", async () => {
  renderAt("/child/204/transcripts");

  expect(await screen.findByText("No sessions found.")).toBeVisible();
  expect(screen.getByText("Select a session from the list on the left.")).toBeVisible();
});

test("while the sessions load the page has a loading state", async () => {
  renderAt("/child/102/transcripts");

  expect(await screen.findByText("Loading sessions...")).toBeVisible();
});

test("while a transcript loads the page has a loading state", async () => {
  const backend = new FakeBackend();
  backend.neverAnswered.add("/sessions/{sessionId}/messages");

  renderAt("/child/1/transcripts", { backend });

  expect(await screen.findByText("Loading transcript...")).toBeVisible();
});

test("a list that can't be loaded shows the server's message, and can be retried", async () => {
  expectLogged(/status 503/u);
  const { user, backend } = renderAt("/child/503/transcripts");

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "This can't be read right now. Please try again in a minute.",
  );
  // oxlint-disable-next-line no-console -- read, not written
  expect(console.error).toHaveBeenCalled();
  const before = backend.calls.get("/sessions") ?? 0;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(backend.calls.get("/sessions")).toBe(before + 1));
});

test("a transcript that can't be loaded shows the server's message, and can be retried", async () => {
  expectLogged(/status 503/u);
  const { user, backend } = renderAt("/child/1/transcripts?session=503");

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Error loading transcript: This transcript can't be read right now.",
  );
  const before = backend.calls.get("/sessions/{sessionId}/messages") ?? 0;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(backend.calls.get("/sessions/{sessionId}/messages")).toBe(before + 1));
});

test("a session without messages has an empty state", async () => {
  renderAt("/child/1/transcripts?session=204");

  expect(await screen.findByText("This session does not contain any messages.")).toBeVisible();
});

test("every message has a speaker; a missing speaker is 'unknown', a missing text is empty", async () => {
  renderAt("/child/1/transcripts?session=103");

  const said = (await bubbles()).map((item) => item.textContent);

  expect(said).toHaveLength(3);
  expect(said[0]).toContain("unknown:Who is speaking here?");
  expect(said[1]).toBe("assistant:This message is empty.");
  expect(said[2]).toBe("Mia:Two thousand and one, two thousand and two.");
});

test("an interrupted message ends with a mark and its text alternative", async () => {
  const backend = backendWith(session(1, 1, MINUTE, [["assistant", "They climbed down a", 0, true]]));

  renderAt("/child/1/transcripts", { backend });

  const [item] = await bubbles();
  expect(item).toHaveTextContent("They climbed down a —");
  expect(item).toHaveTextContent("Interrupted. The rest was not heard.");
});

test("an answer that is not known to be heard is marked as sent, with an explanation", async () => {
  const live = session(1, 1, MINUTE, [
    ["child", "Why?"],
    ["assistant", "Because."],
  ]);
  const heard = live.messages;
  live.messages = heard.map((message) => ({ ...message, generated: true }));
  const { backend, user } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });

  const mark = await within(await messages()).findByRole("button", { name: "Sent to the app" });
  expect(mark).toHaveAccessibleDescription("Porchlight knows what was sent, not yet what was heard.");
  act(() => mark.focus());
  expect(screen.getByRole("tooltip")).toBeVisible();
  await user.keyboard("{Escape}");
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(screen.getByRole("article", { hidden: true })).toHaveTextContent("Because. (Sent to the app)");
  act(() => void dispatchEvent(new Event("afterprint")));

  await waitFor(() => expect(backend.openStreams).toBe(1));
  live.messages = heard;
  backend.sendEvents("session 1");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Sent to the app" })).toBeNull());
});

test("a message is shown as text, in its own direction, and can't change the direction of what follows", async () => {
  const backend = backendWith(session(1, 1, MINUTE, [["child", "<b>a</b> & \u202Eb\nمرحبا"]]));

  renderAt("/child/1/transcripts", { backend });

  const text = await within(await messages()).findByText(/<b>a<\/b> & \[RLO\]b/u);
  expect(text).toHaveAttribute("dir", "auto");
  expect(text.textContent).toBe("<b>a</b> & [RLO]b\nمرحبا");
});

test("a corrected message shows what it said before, folded", async () => {
  const corrected = session(1, 1, MINUTE, [["child", "I want ice cream"]]);
  const until = new Date(2026, 10, 29, 12).toISOString();
  const [first] = corrected.messages;
  if (first === undefined) throw new Error("Nothing was said.");
  first.earlier = [
    { source: "child", text_content: "I want to \u202Erun away", until },
    { source: "assistant", text_content: "Tell nobody", until },
    { source: "child", speaker: "TV", text_content: "I want ice cream", until },
  ];

  const { user } = renderAt("/child/1/transcripts", { backend: backendWith(corrected) });

  const list = within(await messages());
  const [summary] = await list.findAllByText(/^Corrected on Nov 29(, 2026)?\. Before:$/u);
  if (summary === undefined) throw new Error("It is not shown.");
  const before = list.getByText("I want to [RLO]run away");
  expect(before).not.toBeVisible();
  await user.click(summary);
  expect(before).toBeVisible();
  expect(list.getByText("assistant: Tell nobody")).toBeInTheDocument();
  expect(list.getByText(/^\w+ \(TV\): I want ice cream$/u)).toBeInTheDocument();
});

test("what the child didn't hear of an answer is folded, and is no correction", async () => {
  const cut = session(1, 1, MINUTE, [["assistant", "The moon"]]);
  const [first] = cut.messages;
  if (first === undefined) throw new Error("Nothing was said.");
  first.interrupted = true;
  const until = new Date(2026, 10, 29, 12).toISOString();
  first.earlier = [{ source: "assistant", text_content: "The moon is a rock.", until }];

  renderAt("/child/1/transcripts", { backend: backendWith(cut) });

  const list = within(await messages());
  expect(await list.findByText("not heard")).toBeVisible();
  expect(list.getByText("The moon is a rock.")).not.toBeVisible();
  expect(list.queryByText(/^Corrected on/u)).toBeNull();
});

test("a conversation in progress shows new and corrected messages without polling", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const live = session(1, 1, MINUTE, [["assistant", "In July 1969 three astronauts flew to the moon."]], {
    ended: false,
  });
  const { backend } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });
  expect(await bubbles()).toHaveLength(1);
  await waitFor(() => expect(backend.openStreams).toBe(1));

  const [first] = live.messages;
  if (first === undefined) throw new Error("Nothing was said.");
  live.messages = [
    { ...first, text_content: "In July 1969 three", interrupted: true },
    { message_id: "new", source: "child", text_content: "Wait wait!", timestamp: new Date().toISOString() },
  ];
  backend.sendEvents("session 1");

  await waitFor(async () => expect(await bubbles()).toHaveLength(2));
  expect(await messages()).toHaveTextContent("In July 1969 three —");
  expect(await messages()).toHaveTextContent("Wait wait!");

  live.messages.push({
    message_id: "last",
    source: "child",
    text_content: "Bye!",
    timestamp: new Date().toISOString(),
  });
  live.ended = true;
  backend.sendEvents("session 1");
  await waitFor(async () => expect(await bubbles()).toHaveLength(3));

  const before = requestsTo("/api/sessions");
  for (let minute = 0; minute < 5; minute += 1) {
    // The stream stays open.
    backend.sendEvents("context");
    await pass(30_000);
  }
  expect(requestsTo("/api/sessions")).toBe(before);
});

test("a new session is added to the list without changing the selection", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  renderAt("/child/2/transcripts", { backend });
  await screen.findByRole("heading", { name: "Transcript: Dinosaurs" });

  backend.family(PARENT).sessions.unshift(session(2, 2, 0, [], { topic: "Volcanoes" }));
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.sendEvents("session 3");

  expect(await screen.findByRole("link", { name: /Volcanoes/u })).toBeVisible();
  expect(screen.getByRole("heading", { name: "Transcript: Dinosaurs" })).toBeVisible();
});

test("a failed refetch is reported and keeps the data", async () => {
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const live = session(1, 1, MINUTE, [["child", "Is anybody there?"]], { ended: false });
  const { backend } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });
  await bubbles();
  await waitFor(() => expect(backend.openStreams).toBe(1));

  backend.outOfReach.add("/sessions/{sessionId}/messages");
  backend.sendEvents("session 1");

  expect(await screen.findByText(/^No connection\. Not live\. Last updated /u)).toHaveRole("status");
  expect(await messages()).toHaveTextContent("Is anybody there?");
});

test("a conversation in progress recovers after a failed request", async () => {
  expectLogged(/status 503/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const live = session(1, 1, MINUTE, [["child", "Is anybody there?"]], { ended: false });
  const { backend } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });
  await bubbles();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.family(PARENT).unreadable = new Set();
  server.use(
    http.get("/api/sessions/1/messages", () => HttpResponse.json({ detail: "Not now." }, { status: 503 })),
  );
  vi.setSystemTime(Date.now() + 2 * MINUTE);
  dispatchEvent(new Event("offline"));
  dispatchEvent(new Event("online"));
  expect(await screen.findByText(/^Not live\. Last updated/u)).toBeVisible();

  server.resetHandlers(...backend.handlers);
  live.messages.push({
    message_id: "later",
    source: "assistant",
    text_content: "I am here again.",
    timestamp: new Date().toISOString(),
  });
  backend.sendEvents("session 1");

  expect(await within(await messages()).findByText("I am here again.")).toBeVisible();
});

test("a missing topic and a missing date have the specified texts, numbered by position in the list", () => {
  const plain = { child_id: 1, message_count: 0, ended: true };

  const names = listed([
    { ...plain, session_id: 1, topic: "Moon" },
    { ...plain, session_id: 2 },
    { ...plain, session_id: 3, topic: "  " },
    { ...plain, session_id: 1, topic: "Moon, listed twice" },
  ]).map(({ topic, date }) => `${topic}, ${date}`);

  expect(names).toEqual([
    "Moon, listed twice, Unknown date",
    "Session Topic 2, Unknown date",
    "Session Topic 3, Unknown date",
  ]);
});

test("a transcript prints whole: all of it is loaded first, with who said what", async () => {
  const lines = Array.from({ length: 250 }, (_, index): [string, string] => [
    index % 2 === 0 ? "child" : "assistant",
    `Sentence ${index + 1}`,
  ]);
  const printed: string[] = [];
  vi.spyOn(window, "print").mockImplementation(() => {
    dispatchEvent(new Event("beforeprint"));
    printed.push(screen.getByRole("article", { hidden: true }).textContent);
    act(() => void dispatchEvent(new Event("afterprint")));
  });
  const { user } = renderAt("/child/1/transcripts", {
    backend: backendWith(session(1, 1, MINUTE, lines, { topic: "A long day" })),
  });

  await print(user);

  await waitFor(() => expect(printed).toHaveLength(1));
  expect(printed[0]).toMatch(/^Transcript: A long dayMia, /u);
  expect(printed[0]?.match(/MiaSentence \d+/gu)).toHaveLength(125);
  expect(printed[0]).toMatch(/assistantSentence 250$/u);
  expect(screen.queryByRole("article", { hidden: true })).toBeNull();
});

async function print(user: UserEvent) {
  await bubbles();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(screen.getByRole("menuitem", { name: "Print" }));
}

const DAMAGED = "damaged@example.com";

test("sessions that can't be read are counted over the loaded pages, and the others numbered as they are listed", async () => {
  const { backend } = renderAt("/child/1/transcripts", { as: DAMAGED });
  await sessionLinks();
  const area = screen.getByRole("region", { name: "Conversations" });

  area.scrollTop = 50 * 40;
  fireEvent.scroll(area);

  expect(await screen.findByText("3 records could not be read")).toHaveRole("status");
  expect(backend.calls.get("/sessions")).toBe(2);
  expect(screen.queryByRole("link", { name: /Session Topic/u })).toBeNull();
});

test("the first page of sessions counts its own", async () => {
  renderAt("/child/1/transcripts", { as: DAMAGED });

  await sessionLinks();
  expect(screen.getByText("2 records could not be read")).toHaveRole("status");
});

test("a list with only unreadable sessions shows their number instead of 'No sessions found.'", async () => {
  renderAt("/child/2/transcripts", { as: DAMAGED });

  expect(await screen.findByText("2 records could not be read")).toBeVisible();
  expect(screen.queryByText("No sessions found.")).toBeNull();
});

test("messages that can't be read are counted beside those that can", async () => {
  renderAt("/child/1/transcripts?session=101", { as: DAMAGED });

  const [first] = await bubbles();
  expect(first).toHaveAttribute("aria-setsize", "11");
  expect(screen.getByText("2 messages could not be read")).toHaveRole("status");
});

test("a transcript with only unreadable messages shows their number instead of the empty state", async () => {
  renderAt("/child/1/transcripts?session=102", { as: DAMAGED });

  expect(await screen.findByText("5 messages could not be read")).toBeVisible();
  expect(screen.queryByText("This session does not contain any messages.")).toBeNull();
});

test("each refetch updates the number of unreadable messages", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const backend = new FakeBackend();
  backend.opensStreams = true;
  renderAt("/child/1/transcripts?session=101", { as: DAMAGED, backend });
  await screen.findByText("2 messages could not be read");

  const family = backend.family(DAMAGED);
  const [first] = family.sessions[0]?.messages ?? [];
  if (first === undefined) throw new Error("Nothing was said.");
  family.unreadable = new Set([first]);
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.sendEvents("session 101");

  expect(await screen.findByText("1 message could not be read")).toBeVisible();
});

test("a complete list has no line about unreadable rows", async () => {
  renderAt("/child/1/transcripts");

  await bubbles();
  expect(screen.queryByText(/could not be read/u)).toBeNull();
});

test("a printed transcript shows how many messages are missing", async () => {
  const printed: string[] = [];
  vi.spyOn(window, "print").mockImplementation(() => {
    dispatchEvent(new Event("beforeprint"));
    printed.push(screen.getByRole("article", { hidden: true }).textContent);
    act(() => void dispatchEvent(new Event("afterprint")));
  });
  const { user } = renderAt("/child/1/transcripts?session=101", { as: DAMAGED });

  await print(user);

  await waitFor(() => expect(printed).toHaveLength(1));
  expect(printed[0]).toMatch(/^Transcript: Moon and stars.*2 messages could not be read/u);
});

test("a transcript says how many messages are missing, and prints it", async () => {
  const live = session(1, 1, MINUTE, [["child", "Wait!"]], { topic: "Moon", assistant: "Kitchen" });
  const { backend } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });
  await bubbles();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  expect(screen.queryByText(/missing/u)).toBeNull();

  live.not_kept = [
    { reason: "id_used_twice", count: 2 },
    { reason: "invalid", count: 1 },
  ];
  backend.sendEvents("session 1");

  const sentence = "3 messages are missing. Kitchen sent them incorrectly.";
  expect((await screen.findByText(/missing/u)).textContent).toBe(sentence);
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(screen.getByRole("article", { hidden: true })).toHaveTextContent(sentence);
});

test.each([
  ["Kitchen", 1, "1 message is missing. Kitchen sent it incorrectly."],
  ["", 99, "99 messages are missing. The assistant sent them incorrectly."],
  ["a\u202Eb", 100, "At least 100 messages are missing. a[RLO]b sent them incorrectly."],
])("%j with %i missing messages is shown as: %s", async (assistant, count, sentence) => {
  const not_kept = [{ reason: "id_used_twice" as const, count }];
  renderAt("/child/1/transcripts", {
    backend: backendWith(session(1, 1, MINUTE, [], { assistant, not_kept })),
  });

  expect((await screen.findByText(/missing/u)).textContent).toBe(sentence);
});

test("a transcript says which list was followed, and prints it", async () => {
  const backend = new FakeBackend();
  const list = new Date(new Date().getFullYear(), 10, 19).toISOString();
  const receipts = [{ number: 1, evidence: "in_prompt" as const, at: list, topics_since: list }];
  const rules = rulesOf({ sessionReceipts: new Map([[102, { assistant: "Kitchen", items: receipts }]]) });
  backend.family("parent@example.com").rules.set(1, rules);
  const { user } = renderAt("/child/1/transcripts?session=102", { backend });
  await screen.findByText("A third!");
  await user.click(screen.getByRole("button", { name: "More actions" }));

  const line = "Kitchen Uses your list · the list of Nov 19";
  await waitFor(() => expect(document.body).toHaveTextContent(line));
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(screen.getByRole("article", { hidden: true })).toHaveTextContent(line);
  act(() => void dispatchEvent(new Event("afterprint")));
});

test("a transcript without receipts says so", async () => {
  const { user } = renderAt("/child/1/transcripts?session=103");
  await screen.findByText("Who is speaking here?");
  await user.click(screen.getByRole("button", { name: "More actions" }));

  await waitFor(() => expect(document.body).toHaveTextContent("Kitchen did not say which list it followed"));
});

test("a run of short requests is folded, and opens on a tap or if one of them is chosen", async () => {
  const short = [5, 4, 3].map((id) =>
    session(id, 1, 0, [["child", `Set timer ${id}`]], { topic: `Timer ${id}` }),
  );
  const talk = session(9, 1, 0, [["child", "Why?"]], { topic: "Moon", ended: false });
  const backend = backendWith(talk, ...short);
  const { user } = renderAt("/child/1/transcripts", { backend });

  expect(await sessionLinks()).toHaveLength(1);
  const fold = screen.getByRole("button", { name: /^3 short requests/u });
  expect(fold).toHaveAttribute("aria-expanded", "false");
  await user.click(fold);
  expect(await sessionLinks()).toHaveLength(4);
  await user.click(screen.getByRole("link", { name: /^Timer 4/u }));
  await screen.findByText("Set timer 4");
  await user.click(fold);

  expect(screen.getByRole("link", { name: /^Timer 4/u })).toHaveAttribute("aria-current", "true");
});

test("a conversation in progress says so, and what is added is read out", async () => {
  const live = session(1, 1, MINUTE, [["child", "Is anybody there?"]], { topic: "Moon", ended: false });
  const { backend } = renderAt("/child/1/transcripts", { backend: liveBackendWith(live) });
  await bubbles();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const heading = screen.getByRole("heading", { name: "Transcript: Moon" });
  expect(heading.closest("header")).toHaveTextContent("Live · Today");

  const timestamp = new Date().toISOString();
  live.messages.push({ message_id: "2", source: "assistant", text_content: "I am here.", timestamp });
  backend.sendEvents("session 1");

  const added = await screen.findByText("assistant: I am here.");
  expect(added).toHaveAttribute("aria-live", "polite");
  live.ended = true;
  backend.sendEvents("session 1");
  await waitFor(() => expect(heading.parentElement).not.toHaveTextContent("Live"));
});

test("a conversation of somebody else's is marked in the menu, and the mark is undone beside it", async () => {
  const said = session(1, 1, MINUTE, [["child", "Play jazz"]], { topic: "Jazz" });
  const { user } = renderAt("/child/1/transcripts", { backend: backendWith(said) });
  await bubbles();

  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(screen.getByRole("menuitem", { name: "This wasn't Mia" }));

  const sentence = "This wasn't Mia";
  await waitFor(() => expect(document.body).toHaveTextContent(sentence));
  expect((await sessionLinks())[0]).toHaveTextContent(/· not Mia$/u);
  await user.click(screen.getByRole("button", { name: "Undo" }));

  await waitFor(() => expect(document.body).not.toHaveTextContent(sentence));
  expect((await sessionLinks())[0]).not.toHaveTextContent("not Mia");
  expect(said.not_child).toBe(false);
});

test("a mark that can't be saved is reported", async () => {
  expectLogged(/status 503/u);
  const said = session(503, 1, MINUTE, [], { topic: "Jazz" });
  const { user } = renderAt("/child/1/transcripts", { backend: backendWith(said) });

  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(screen.getByRole("menuitem", { name: "This wasn't Mia" }));

  expect(await screen.findByText("This can't be saved right now.")).toBeVisible();
});

test("a conversation that opens by itself is a glance until it is scrolled, and counts once", async () => {
  renderAt("/child/1/transcripts");
  await bubbles();
  expect(requestsTo("glance=true")).toBe(1);
  expect(requestsTo("/messages")).toBe(1);

  fireEvent.keyDown(await messages(), { key: "Tab" });
  fireEvent.wheel(await messages());
  fireEvent.wheel(await messages());

  await waitFor(() => expect(requestsTo("/messages?limit=1")).toBeGreaterThan(0));
  expect(requestsTo("/messages")).toBe(2);
  expect(requestsTo("glance=true")).toBe(1);
});

test("choosing the conversation that opened by itself counts, and one in the address always does", async () => {
  const { user, unmount } = renderAt("/child/1/transcripts");
  await bubbles();
  const [first] = await sessionLinks();
  if (first === undefined) throw new Error("There is no session.");
  await user.click(first);
  await waitFor(() => expect(requestsTo("/messages")).toBe(2));
  expect(requestsTo("glance=true")).toBe(1);
  unmount();

  renderAt(first.getAttribute("href") ?? "");
  await bubbles();

  expect(requestsTo("/messages")).toBe(3);
  expect(requestsTo("glance=true")).toBe(1);
});
