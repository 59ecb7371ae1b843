import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { alertsIn, changePhrasesElsewhere, phraseAlert, reviewerAlert } from "../test/fake-backend-alerts";
import { session } from "../test/families";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const PARENT = "parent@example.com";
const MINUTE = 60_000;

afterEach(() => vi.restoreAllMocks());

const PHRASES = "/child/1/alerts/phrases";

/** The alerts in the order of the page, once there are some. */
async function loadedItems(): Promise<HTMLElement[]> {
  await screen.findAllByText(/was said/u);
  return shownItems();
}

function shownItems(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-alert]")];
}

function mias(backend: FakeBackend) {
  return alertsIn(backend.family(PARENT), 1);
}

function backendWith(...alerts: ReturnType<typeof phraseAlert>[]): FakeBackend {
  const backend = new FakeBackend();
  mias(backend).alerts = alerts;
  return backend;
}

const phrase = { words: "our secret", side: "either" } as const;

test("the bell and the icon have the number of unseen alerts, and the bell lists them by child", async () => {
  const backend = backendWith(phraseAlert(3, 5), phraseAlert(2, 60), phraseAlert(1, 90, { unseen: false }));
  alertsIn(backend.family(PARENT), 2).alerts = [phraseAlert(4, 5, { kind: "not_kept" })];
  const setAppBadge = vi.fn<(count: number) => Promise<void>>(async () => {});
  Object.defineProperty(navigator, "setAppBadge", { configurable: true, value: setAppBadge });
  const { user, path } = renderAt("/child/2/metrics", { backend });

  await user.click(await screen.findByRole("button", { name: "Alerts: 2 new" }));
  expect(setAppBadge).toHaveBeenLastCalledWith(2);
  const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(items.slice(0, 2)).toEqual(["Mia 2 new", "Noah none new"]);
  await user.click(screen.getByRole("menuitem", { name: "Mia 2 new" }));

  expect(await screen.findByRole("heading", { name: "Alerts for Mia" })).toBeVisible();
  expect(path()).toBe("/child/1/alerts");
  // They were shown, so they are seen.
  expect(await screen.findByRole("button", { name: "Alerts: none new" })).toBeVisible();
  expect(setAppBadge).toHaveBeenLastCalledWith(0);
  Reflect.deleteProperty(navigator, "setAppBadge");
});

test("with one child the bell leads straight to the alerts", async () => {
  const backend = new FakeBackend();
  const family = backend.family("one@example.com");
  alertsIn(family, 1).alerts = [phraseAlert(1, 5)];
  const { user, path } = renderAt("/child/1/metrics", { backend, as: "one@example.com" });

  await user.click(
    await within(await screen.findByRole("banner")).findByRole("link", { name: "Alerts: 1 new" }),
  );

  expect(await screen.findByRole("heading", { name: "Alerts for Mia" })).toHaveFocus();
  expect(path()).toBe("/child/1/alerts");
});

test("the navigation has the number of the child's unseen alerts", async () => {
  const backend = backendWith(phraseAlert(2, 5), phraseAlert(1, 5));
  renderAt("/child/1/metrics", { backend });

  const [side] = await screen.findAllByRole("navigation", { name: "Sections" });
  if (side === undefined) throw new Error("There is no navigation.");
  const link = await within(side).findByRole("link", { name: "Alerts 2 new" });
  expect(link).toHaveAttribute("href", "/child/1/alerts");
});

const urgent = { concern: "danger", severity: "urgent", model: "llama3.1:8b", not_worrying: false } as const;

test("the bell, its menu and the navigation say that something urgent waits, also once it was seen", async () => {
  const backend = backendWith(phraseAlert(3, 5));
  alertsIn(backend.family(PARENT), 2).alerts = [
    reviewerAlert(2, 60, { flagged: urgent, unseen: false }),
    reviewerAlert(1, 60, { unseen: false }),
  ];
  const { user } = renderAt("/child/2/metrics", { backend });

  const bell = await screen.findByRole("button", { name: "Alerts: please look now, 1 new" });
  expect(within(bell).getByText("1")).toHaveClass("bg-danger");
  const [side] = screen.getAllByRole("navigation", { name: "Sections" });
  if (side === undefined) throw new Error("There is no navigation.");
  const link = await within(side).findByRole("link", { name: "Alerts please look now" });
  expect(within(link).getByText("please look now").parentElement).toHaveClass("bg-danger");
  await user.click(bell);

  const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(items.slice(0, 2)).toEqual(["Noah please look now", "Mia 1 new"]);
  expect(screen.getAllByText("please look now").at(-1)).toHaveClass("text-danger");
});

test("an alert that becomes urgent is announced", async () => {
  const backend = backendWith(reviewerAlert(1, 5));
  backend.opensStreams = true;
  renderAt("/child/2/metrics", { backend });
  await screen.findByRole("button", { name: "Alerts: 1 new" });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  mias(backend).alerts = [reviewerAlert(1, 5, { flagged: urgent })];
  backend.sendEvents("alerts");

  const announcement = "Alerts: please look now, 1 new";
  expect(await screen.findByText(announcement, { selector: "[role=status]" })).toBeInTheDocument();
});

test("a day's many alerts can be dealt with at once, but never an urgent one, and that can be undone", async () => {
  const many = Array.from({ length: 12 }, (_, index) => phraseAlert(20 - index, 0));
  const backend = backendWith(...many, reviewerAlert(1, 0, { flagged: urgent }));
  const { user } = renderAt("/child/1/alerts", { backend });

  await user.click(await screen.findByRole("button", { name: "I've dealt with all of these" }));
  const undone = await screen.findByText(/^You've dealt with 1\d alerts\.$/u);
  const done = mias(backend).dealtWith;
  expect(done.size).toBe(many.length);
  expect(done).not.toContain(1);
  await user.click(within(undone.parentElement ?? document.body).getByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("button", { name: "I've dealt with all of these" })).toHaveFocus();
  expect(mias(backend).dealtWith.size).toBe(0);
});

test("up to ten open alerts are dealt with singly", async () => {
  renderAt("/child/1/alerts", {
    backend: backendWith(...Array.from({ length: 10 }, (_, index) => phraseAlert(20 - index, index))),
  });

  expect(await screen.findAllByRole("button", { name: "I've dealt with it" })).toHaveLength(10);
  expect(screen.queryByRole("button", { name: "I've dealt with all of these" })).toBeNull();
});

test("while the number is not known, the bell doesn't say that there is none", async () => {
  const backend = new FakeBackend();
  backend.neverAnswered.add("/alerts/unseen");
  renderAt("/child/1/metrics", { backend });

  expect(await screen.findByRole("button", { name: "Alerts" })).toBeVisible();
});

test("an alert that arrives rings at once, and is announced", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  renderAt("/child/2/metrics", { backend });
  await screen.findByRole("button", { name: "Alerts: none new" });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  mias(backend).alerts = [phraseAlert(1, 0)];
  backend.sendEvents("alerts");

  expect(await screen.findByRole("button", { name: "Alerts: 1 new" })).toBeVisible();
  expect(screen.getByText("Alerts: 1 new", { selector: "[role=status]" })).toBeInTheDocument();
});

test("an alert has its sentence, the words with their neighbours, and the phrase marked", async () => {
  const backend = backendWith(phraseAlert(1, 1));
  mias(backend).phrases = [phrase];
  renderAt("/child/1/alerts", { backend });

  const [item] = await loadedItems();
  if (item === undefined) throw new Error("There is no alert.");
  expect(item).toHaveTextContent(/"Our secret" was said in Mia's conversation with Kitchen at .+\./u);
  expect(item).toHaveTextContent(/Mia:Can I tell Grandma\?Kitchen:This stays our secret, okay\?Mia:Okay\./u);
  expect(item.querySelector("mark")).toHaveTextContent("our secret");
  expect(within(item).getByText("New")).toBeVisible();
  const link = within(item).getByRole("link", { name: /^"Our secret" was said/u });
  expect(link).toHaveAttribute("href", "/child/1/transcripts?session=101");
  expect(screen.getByText("Porchlight is not an emergency service.")).toBeVisible();
});

test("a corrected message and a deleted conversation say what happened", async () => {
  const corrected = phraseAlert(2, 5, { corrected: true, text_content: "Nothing.", ranges: [] });
  const { text_content: _, before: __, after: ___, assistant: ____, ...gone } = phraseAlert(1, 60);
  const deleted = {
    ...gone,
    deleted_by: { is_you: false, name: "Ada" },
    restorable_until: new Date(Date.now() + 5 * 24 * 60 * MINUTE).toISOString(),
  };
  renderAt("/child/1/alerts", { backend: backendWith(corrected, deleted) });

  expect(await screen.findByText("It was corrected later.")).toBeVisible();
  expect(screen.queryByText(/Before:/u)).not.toBeInTheDocument();
  expect(screen.getByText(/^Ada deleted this conversation\. You can restore it until /u)).toBeVisible();
  expect(screen.getByRole("link", { name: "Recently deleted" })).toHaveAttribute(
    "href",
    "/child/1/transcripts/deleted",
  );
});

test("a corrected message shows what it said before", async () => {
  const until = new Date(2026, 10, 29, 12).toISOString();
  const earlier = { source: "assistant", text_content: "Our secret!", ranges: [[0, 10]], until };
  const corrected = phraseAlert(2, 5, { corrected: true, text_content: "Hours, Seb!", ranges: [], earlier });
  renderAt("/child/1/alerts", { backend: backendWith(corrected) });

  expect(await screen.findByText(/^Corrected on Nov 29(, 2026)?\. Before:$/u)).toBeVisible();
  const words = screen.getByText("Our secret");
  expect(words).toBeVisible();
  expect(words.tagName).toBe("MARK");
});

test("alerts of each kind are listed, and only those with a phrase can be stopped", async () => {
  const backend = new FakeBackend();
  const family = backend.family("alerts@example.com");
  alertsIn(family, 1).phrases = [phrase, { words: "سرنا", side: "child" }];
  renderAt("/child/1/alerts", { backend, as: "alerts@example.com" });

  await loadedItems();
  await screen.findAllByRole("button", { name: "Stop watching this" });
  const shown = shownItems();
  expect(
    shown.map((item) => within(item).queryByRole("button", { name: "Stop watching this" }) !== null),
  ).toEqual([true, false, false, true, true, true]);
  expect(shown[0]).toHaveTextContent("3 messages have it.");
  expect(shown[1]).toHaveTextContent("2 messages from Mia's conversation with Kitchen at");
  expect(shown[2]).toHaveTextContent("Kitchen refused your current rules for Mia, at");
  expect(shown[5]?.querySelector("mark")).toHaveTextContent("سرنا");
});

test("alerts are grouped by the day that is shown, newest first", async () => {
  const day = 24 * 60;
  const late = phraseAlert(3, 2 * day, { arrived_at: new Date().toISOString(), unseen: false });
  renderAt("/child/1/alerts", {
    backend: backendWith(late, phraseAlert(2, 0), phraseAlert(1, day, { unseen: false })),
  });
  await loadedItems();

  const [today, yesterday, older] = screen.getAllByRole("heading", { level: 2 });
  expect(today).toHaveTextContent("Today");
  expect(yesterday).toHaveTextContent("Yesterday");
  expect(older).toHaveTextContent(/\d/u);
  expect(shownItems().map(({ dataset }) => dataset["alert"])).toEqual(["2", "1", "3"]);
  expect(shownItems()[2]).toHaveTextContent(/^Noticed today/u);
  expect(within(screen.getByRole("list", { name: "Today" })).getAllByRole("listitem")).toHaveLength(1);
});

test("the words of an alert are marked in the conversation that it opens", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).sessions = [
    session(101, 1, 5 * MINUTE, [
      ["child", "Can I tell Grandma?"],
      ["assistant", "This stays our secret, okay?"],
    ]),
  ];
  mias(backend).alerts = [phraseAlert(1, 5)];
  const { user } = renderAt("/child/1/alerts", { backend });

  await user.click(await screen.findByRole("link", { name: /^"Our secret" was said/u }));

  expect(await screen.findByText("our secret", { selector: "[data-message] mark" })).toBeVisible();
});

test("'Stop watching this' stops it, the alert stays, and it can be undone", async () => {
  const backend = backendWith(phraseAlert(1, 1));
  mias(backend).phrases = [{ words: "meet me", side: "child" }, phrase];
  const { user } = renderAt("/child/1/alerts", { backend });

  await user.click(await screen.findByRole("button", { name: "Stop watching this" }));

  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(undo).toHaveFocus();
  expect(shownItems()[0]).toHaveTextContent('Stopped watching for "our secret".');
  expect(mias(backend).phrases).toEqual([{ words: "meet me", side: "child" }]);
  expect(screen.getByText(/^"Our secret" was said/u)).toBeVisible();
  await user.click(undo);

  await waitFor(() => expect(screen.getByRole("button", { name: "Stop watching this" })).toHaveFocus());
  expect(mias(backend).phrases).toEqual([{ words: "meet me", side: "child" }, phrase]);
});

test("earlier alerts are shown on demand", async () => {
  const alerts = Array.from({ length: 25 }, (_, index) => phraseAlert(25 - index, index, { unseen: false }));
  const { user } = renderAt("/child/1/alerts", { backend: backendWith(...alerts) });
  expect(await loadedItems()).toHaveLength(20);

  await user.click(screen.getByRole("button", { name: "Show earlier" }));

  await waitFor(() => expect(shownItems()).toHaveLength(25));
  expect(shownItems()[20]).toHaveFocus();
});

test("earlier alerts that could not be loaded say why, and the button stays", async () => {
  expectLogged(/400/u);
  const alerts = Array.from({ length: 25 }, (_, index) => phraseAlert(25 - index, index, { unseen: false }));
  const { user } = renderAt("/child/1/alerts", { backend: backendWith(...alerts) });
  const more = await screen.findByRole("button", { name: "Show earlier" });
  server.use(
    http.get("/api/child/1/alerts", () =>
      HttpResponse.json({ detail: "That page is unknown." }, { status: 400 }),
    ),
  );

  await user.click(more);

  expect(await screen.findByText("That page is unknown.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show earlier" })).toBeVisible();
});

test.each([
  ["the first", []],
  ["another", [phraseAlert(1, 5, { unseen: false })]],
])("%s alert that arrives on an unattended page is unseen until the page is used", async (_, before) => {
  const backend = backendWith(...before);
  backend.opensStreams = true;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 10, 100, 100));
  renderAt("/child/1/alerts", { backend });
  await screen.findByRole("heading", { name: "Alerts for Mia" });
  await screen.findByText(before.length === 0 ? /^No alerts so far\./u : /was said/u);
  await waitFor(() => expect(backend.openStreams).toBe(1));

  mias(backend).alerts = [phraseAlert(2, 0), ...before];
  backend.sendEvents("alerts");
  expect(await screen.findByRole("button", { name: "Alerts: 1 new" })).toBeVisible();
  expect(await screen.findByText("New")).toBeVisible();
  expect(backend.calls.get("/alerts/seen")).toBeUndefined();
  fireEvent.pointerDown(document.body);

  expect(await screen.findByRole("button", { name: "Alerts: none new" })).toBeVisible();
  expect(screen.getByText("New")).toBeVisible();
});

test("a failing list says why, and the phrases still show", async () => {
  expectLogged(/503/u);
  renderAt("/child/503/alerts");

  const [list] = await screen.findAllByText(/^This can't be read right now/u);
  expect(list).toBeVisible();
});

/** Mia talked about sharks in two conversations. */
function sharks(): FakeBackend {
  const backend = new FakeBackend();
  backend.family(PARENT).sessions = [
    session(2, 1, MINUTE, [["child", "Do sharks sleep?"]]),
    session(1, 1, 90 * MINUTE, [
      ["child", "I like bees."],
      ["assistant", "Sharks are fish."],
    ]),
  ];
  return backend;
}

test("a phrase is tried, and only then watched", async () => {
  const backend = sharks();
  const { user } = renderAt(PHRASES, { backend });
  const field = await screen.findByRole("textbox", { name: "A phrase of your own" });
  expect(screen.queryByRole("button", { name: "Watch for it" })).toBeNull();

  await user.type(field, " sharks {Enter}");
  expect(await screen.findByText(/^Since August 27, this would have alerted you 2 times\.$/u)).toBeVisible();
  const matches = within(screen.getByRole("list", { name: /would have alerted you/u }));
  expect(matches.getAllByRole("listitem").map((each) => each.querySelector("mark")?.textContent)).toEqual([
    "sharks",
    "Sharks",
  ]);
  await user.click(screen.getByRole("radio", { name: "The assistant's side" }));
  expect(screen.queryByRole("button", { name: "Watch for it" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try it" }));
  expect(await screen.findByText(/this would have alerted you once\.$/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Watch for it" }));

  expect(await screen.findByText("sharks", { selector: "li bdi" })).toBeVisible();
  expect(mias(backend).phrases).toEqual([{ words: "sharks", side: "assistant" }]);
  expect(screen.getByText("Saved.")).toHaveFocus();
  expect(field).toHaveValue("");
});

test("what is typed while a phrase is being saved stays", async () => {
  const backend = new FakeBackend();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { user } = renderAt(PHRASES, { backend });
  const field = await screen.findByRole("textbox", { name: "A phrase of your own" });
  await user.type(field, "sharks{Enter}");
  const watch = await screen.findByRole("button", { name: "Watch for it" });
  backend.heldBack.set("/child/{childId}/watched_phrases", held);

  await user.click(watch);
  await user.type(field, " and bees");
  release();

  expect(await screen.findByRole("button", { name: "Stop sharks" })).toBeVisible();
  expect(field).toHaveValue("sharks and bees");
});

test("a phrase that can't be watched says why", async () => {
  const { user, backend } = renderAt(PHRASES);
  const field = await screen.findByRole("textbox", { name: "A phrase of your own" });

  await user.type(field, "x{Enter}");

  expect(screen.getByRole("alert")).toHaveTextContent("A phrase has 2 to 80 characters.");
  expect(backend.calls.get("/child/{childId}/watched_phrases/try")).toBeUndefined();
});

test("the starting lists have counts, nothing is on before it is chosen, and a phrase can be changed", async () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["de-DE", "en"]);
  const { user, backend } = renderAt(PHRASES);
  expect(await screen.findByRole("combobox", { name: "Language" })).toHaveValue("de");
  await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "English");
  await user.click(screen.getByText("Keep this secret, meet me"));

  const list = within(await screen.findByRole("list", { name: "Keep this secret, meet me" }));
  const choices = list.getAllByRole("checkbox");
  expect(choices).toHaveLength(7);
  for (const choice of choices) expect(choice).not.toBeChecked();
  const counts = () => list.getAllByText("Since August 27, this would not have alerted you.");
  await waitFor(() => expect(counts()).toHaveLength(7));
  await user.click(list.getByRole("checkbox", { name: "our secret The assistant's side" }));
  await waitFor(() => expect(mias(backend).phrases).toEqual([{ words: "our secret", side: "assistant" }]));
  await user.click(list.getByRole("button", { name: "Change are you alone" }));

  const field = screen.getByRole("textbox", { name: "A phrase of your own" });
  expect(field).toHaveValue("are you alone");
  expect(field).toHaveFocus();
  await user.click(list.getByRole("checkbox", { name: "our secret The assistant's side" }));
  await waitFor(() => expect(mias(backend).phrases).toEqual([]));
});

test("the child's page is offered before the first phrase is watched", async () => {
  const { user } = renderAt(PHRASES);
  const offer = await screen.findByRole("link", { name: /^A page for/u });
  expect(offer).toHaveAttribute("href", "/child/1/for-child");

  await user.type(screen.getByRole("textbox", { name: "A phrase of your own" }), "sharks{Enter}");
  await user.click(await screen.findByRole("button", { name: "Watch for it" }));

  await waitFor(() => expect(offer).not.toBeInTheDocument());
});

test("a change on another device is kept", async () => {
  const backend = new FakeBackend();
  mias(backend).phrases = [phrase, { words: "meet me", side: "child" }];
  const { user } = renderAt(PHRASES, { backend });
  const stop = await screen.findByRole("button", { name: "Stop our secret" });

  changePhrasesElsewhere(mias(backend), [...mias(backend).phrases, { words: "sharks", side: "child" }]);
  await user.click(stop);

  expect(await screen.findByRole("button", { name: "Stop sharks" })).toBeVisible();
  await waitFor(() => expect(mias(backend).phrases.map(({ words }) => words)).toEqual(["meet me", "sharks"]));
  await waitFor(() => expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus());
});

test("a save that fails says why, and a full list takes no more", async () => {
  expectLogged(/status (?:503|422)/u);
  const backend = new FakeBackend();
  const { user } = renderAt(PHRASES, { backend });
  const field = await screen.findByRole("textbox", { name: "A phrase of your own" });
  await user.type(field, "fail with detail{Enter}");
  await user.click(await screen.findByRole("button", { name: "Watch for it" }));
  expect(await screen.findByText(/^The phrases can't be saved right now\./u)).toBeVisible();

  const many = Array.from(
    { length: 30 },
    (_, index) => ({ words: `phrase ${index}`, side: "child" }) as const,
  );
  await act(async () => changePhrasesElsewhere(mias(backend), many));
  await user.click(screen.getByRole("button", { name: "Watch for it" }));

  // Below the list, and beside the button.
  await waitFor(() =>
    expect(screen.getAllByText("You can watch at most 30 phrases for a child.").length).toBeGreaterThan(1),
  );
});

test("an alert that the guardian has dealt with stays, and isn't counted; one tap undoes it", async () => {
  const backend = backendWith(phraseAlert(2, 5), phraseAlert(1, 60));
  const { user } = renderAt("/child/1/alerts", { backend });
  const [newest] = await screen.findAllByRole("button", { name: "I've dealt with it" });

  if (newest === undefined) throw new Error("There is no button.");
  await user.click(newest);

  expect(await screen.findByText("You've dealt with it.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus();
  expect(screen.getAllByRole("button", { name: "I've dealt with it" })).toHaveLength(1);
  expect([...mias(backend).dealtWith]).toEqual([2]);
  await user.click(screen.getByRole("button", { name: "Undo" }));

  await waitFor(() => expect(screen.queryByText("You've dealt with it.")).toBeNull());
  const [first] = screen.getAllByRole("button", { name: "I've dealt with it" });
  expect(first).toHaveFocus();
  expect(mias(backend).dealtWith.size).toBe(0);
});

test("only what rings can be dealt with", async () => {
  const backend = backendWith(
    phraseAlert(3, 5, { kind: "not_kept" }),
    phraseAlert(2, 6, { kind: "rules" }),
    phraseAlert(1, 7, { kind: "silent" }),
  );
  renderAt("/child/1/alerts", { backend });

  expect(await screen.findByText(/could not be saved/u)).toBeVisible();
  expect(screen.queryByRole("button", { name: "I've dealt with it" })).toBeNull();
});

test("if that can't be saved, the alert says so", async () => {
  expectLogged(/can't be reached/u);
  const backend = backendWith(phraseAlert(1, 5));
  backend.outOfReach.add("/child/{childId}/alerts/{alertId}/dealt_with");
  const { user } = renderAt("/child/1/alerts", { backend });

  await user.click(await screen.findByRole("button", { name: "I've dealt with it" }));

  expect(await screen.findByText(/^The server can't be reached\./u)).toBeVisible();
  expect(screen.queryByText("You've dealt with it.")).toBeNull();
});

test("opened for an alert, the page loads the list until it is there, and goes to it", async () => {
  const alerts = Array.from({ length: 45 }, (_, index) => phraseAlert(45 - index, index + 1));
  const backend = backendWith(...alerts);
  renderAt({ pathname: "/child/1/alerts", state: { alert: 2 } }, { backend });

  await waitFor(() => expect(document.querySelector('[data-alert="2"]')).toHaveFocus());
});

test("after a short topic of one's own is blocked, an alert for it is offered, and tried first", async () => {
  const backend = sharks();
  const { user, path } = renderAt("/child/1/topic-blocklist", { backend });
  const input = await screen.findByPlaceholderText("Enter custom topic to block...");

  await user.type(input, "Sharks{Enter}");
  await user.click(await screen.findByRole("link", { name: 'Alert me if "Sharks" is said' }));

  expect(await screen.findByText(/this would have alerted you 2 times\.$/u)).toBeVisible();
  expect(path()).toBe(PHRASES);
  expect(screen.getByRole("textbox", { name: "A phrase of your own" })).toHaveValue("Sharks");
  expect(mias(backend).phrases).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Watch for it" }));
  await waitFor(() => expect(mias(backend).phrases).toEqual([{ words: "Sharks", side: "either" }]));
});

test("no alert is offered for a long topic, or for an example", async () => {
  const { user } = renderAt("/child/1/topic-blocklist");
  const input = await screen.findByPlaceholderText("Enter custom topic to block...");

  await user.type(input, "Scary films about very deep water{Enter}");
  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /^Alert me/u })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Religious and Spiritual Debates" }));
  await screen.findByText("Religious and Spiritual Debates", { selector: "li span" });
  expect(await screen.findByText("Saved.")).toBeInTheDocument();

  expect(screen.queryByRole("link", { name: /^Alert me/u })).toBeNull();
});

test("the selector marks children about whom something rings", async () => {
  const backend = backendWith(phraseAlert(1, 5));
  const { user } = renderAt("/child/2/metrics", { backend });

  await user.click(await screen.findByRole("combobox", { name: "Child" }));

  expect(await screen.findByRole("option", { name: "Mia · 1 alert" })).toBeInTheDocument();
});
