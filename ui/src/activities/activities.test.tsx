import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";

import { faceOf } from "./faces";
import { nextPageIn } from "./requests";
import { FakeBackend } from "../test/fake-backend";
import { completed } from "../test/fake-backend-activities";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const PARENT = "parent@example.com";
const COMPLETED = "/child/1/activities/completed";
const UPCOMING = "/child/1/activities/upcoming";
const FEEDBACK = "/child/{childId}/activities/upcoming/{activityId}/feedback";
const PLACEHOLDER = "Optional: Why did you like/dislike this suggestion?";

function backendWithCompleted(...activities: ReturnType<typeof completed>[]) {
  const backend = new FakeBackend();
  backend.family(PARENT).completed.set(1, activities);
  return backend;
}

async function cells() {
  // Reads `rows` and `cells` from the DOM: `getAllByRole` takes seconds for 1,000 rows.
  const [, ...rows] = (await screen.findByRole<HTMLTableElement>("table")).rows;
  return rows.map((row) => [...row.cells]);
}

async function card(topic: string) {
  const heading = await screen.findByRole("heading", { name: topic });
  const item = heading.closest("li");
  if (item === null) throw new Error(`There is no card "${topic}".`);
  return within(item);
}

function topics() {
  return screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
}

test("the activities are headed with the child's name and have two tabs", async () => {
  renderAt(COMPLETED);

  expect(await screen.findByRole("heading", { level: 1, name: "Activities for Mia" })).toBeVisible();
  expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["Completed", "Upcoming"]);
  expect(screen.getByRole("tab", { name: "Completed" })).toHaveAttribute("aria-selected", "true");
});

test("switching tabs replaces the history entry and makes no further call", async () => {
  const { user, path, router, backend } = renderAt("/child/1/summary");
  await screen.findByRole("heading", { name: "Summary for Mia" });
  await router.navigate(COMPLETED);
  await user.click(await screen.findByRole("tab", { name: "Upcoming" }));

  expect(await card("Build a paper volcano")).toBeDefined();
  expect(path()).toBe(UPCOMING);
  expect(screen.getByRole("tab", { name: "Upcoming" })).toHaveFocus();
  expect(backend.calls.get("/child/{childId}/activities/upcoming")).toBe(1);
  await router.navigate(-1);
  expect(path()).toBe("/child/1/summary");
});

test("both calls are made at once, whichever tab is shown", async () => {
  const backend = new FakeBackend();
  backend.neverAnswered.add("/child/{childId}/activities/completed");
  renderAt(COMPLETED, { backend });

  expect(await screen.findByText("Loading activities for Mia...")).toBeVisible();
  await waitFor(() => {
    expect(backend.calls.get("/child/{childId}/activities/completed")).toBe(1);
    expect(backend.calls.get("/child/{childId}/activities/upcoming")).toBe(1);
  });
});

test("an unknown activity type logs a warning, shows the completed activities and keeps the address", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { path } = renderAt("/child/1/activities/planned");

  expect(await screen.findByRole("table")).toBeVisible();
  expect(path()).toBe("/child/1/activities/planned");
  expect(warn).toHaveBeenCalledWith('There are no activities of the type "planned".');
});

test("a failure shows the server's message, is logged, and can be retried", async () => {
  expectLogged(/status 503/u);
  const { user, backend } = renderAt("/child/503/activities/upcoming");

  const sentence = "Error loading activities: This can't be read right now. Please try again in a minute.";
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(vi.spyOn(console, "error")).toHaveBeenCalledWith(expect.any(Error));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(backend.calls.get("/child/{childId}/activities/upcoming")).toBe(2));
});

test("each tab has an empty state", async () => {
  const { user } = renderAt("/child/204/activities/completed");

  expect(await screen.findByText("No completed activities yet.")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Upcoming" }));
  expect(await screen.findByText("No upcoming sessions scheduled or recommended.")).toBeVisible();
});

test.each([
  ["completed", "No completed activities yet."],
  ["upcoming", "No upcoming sessions scheduled or recommended."],
])("a response for %s activities that is not a list counts as empty", async (type, sentence) => {
  renderAt(`/child/1/activities/${type}`);
  server.use(http.get(`/api/child/1/activities/${type}`, () => HttpResponse.json({ activities: [1] })));

  expect(await screen.findByText(sentence)).toBeVisible();
});

test("the completed activities are a table with its caption and columns", async () => {
  renderAt(COMPLETED);

  const table = await screen.findByRole("table", { name: "A list of Mia's completed activities." });
  const names = within(table)
    .getAllByRole("columnheader")
    .map((header) => header.textContent);
  expect(names).toEqual(["Date", "Topic", "Duration", "Outcome/Score", "Mood"]);
});

test.each([
  ["a text", { score: "8 of 10" }, 3, "8 of 10"],
  ["a number", { score: 9.5 }, 3, "9.5"],
  ["nought", { score: 0 }, 3, "0"],
  ["missing", { score: null }, 3, "-"],
])("a score that is %s is shown as specified", async (_what, more, column, shown) => {
  renderAt(COMPLETED, { backend: backendWithCompleted(completed(1, 1, more)) });

  const [row] = await cells();
  expect(row?.[column]?.querySelector("bdi")).toHaveTextContent(shown);
});

test("date and duration are formatted as specified, and a missing topic is said in words", async () => {
  const activity = completed(1, 1, { date: "2026-11-21T23:59:00Z", duration: 90, topic: "" });
  renderAt(COMPLETED, { backend: backendWithCompleted(activity) });

  const [row] = await cells();
  expect(row?.map((cell) => cell.textContent).slice(0, 3)).toEqual([
    "Nov 21, 2026",
    "Conversation without a topic",
    "2 min",
  ]);
});

test("a completed activity links to its transcript", async () => {
  expectLogged(/status 404/u);
  const { user, path } = renderAt(COMPLETED);

  await user.click(await screen.findByRole("link", { name: "How bees find home" }));

  await waitFor(() => expect(path()).toBe("/child/1/transcripts?session=104"));
});

test("a mood is an icon with its word, and a missing mood is '-'", async () => {
  const backend = backendWithCompleted(completed(1, 1, { mood: "happy" }), completed(2, 2));
  renderAt(COMPLETED, { backend });

  const [happy, none] = await cells();
  expect(happy?.[4]?.querySelector("svg")).not.toBeNull();
  expect(happy?.[4]).toHaveTextContent("happy");
  expect(none?.[4]).toHaveTextContent(/^-$/u);
});

test.each([
  ["happy", "happy"],
  ["  Frustrated ", "angry"],
  ["CURIOUS", "curious"],
  ["bouncy", "neutral"],
  ["سعيد", "neutral"],
  ["constructor", "neutral"],
])("the mood %j has the %s face", (mood, name) => {
  expect(faceOf(mood).moods[0]).toBe(name);
});

test("the next 500 rows load on demand, and the first of them gets the focus", async () => {
  const { user } = renderAt("/child/7/activities/completed", { as: "hostile@example.com" });
  expect(await cells()).toHaveLength(500);

  await user.click(screen.getByRole("button", { name: "Show earlier" }));

  await waitFor(async () => expect(await cells()).toHaveLength(1000));
  expect(document.activeElement).toBe((await cells())[500]?.[0]?.parentElement);
  await user.click(screen.getByRole("button", { name: "Show earlier" }));
  await waitFor(async () => expect(await cells()).toHaveLength(1104));
  expect(screen.queryByRole("button", { name: "Show earlier" })).toBeNull();
});

test.each([
  ['<?before=12>; rel="next"', 12],
  ['<?before=12>; rel="prev"', undefined],
  ['<?before=x>; rel="next"', undefined],
  [null, undefined],
])("the next page's cursor comes from the Link header: %s", (link, before) => {
  const headers = new Headers(link === null ? {} : { Link: link });

  expect(nextPageIn(headers)).toBe(before);
});

test("the Link header, not the page's length, determines whether there is a next page", async () => {
  const { user } = renderAt(COMPLETED);
  const pages = new Map([
    [null, { activity: completed(9, 1, { topic: "Newer" }), link: { Link: '<?before=9>; rel="next"' } }],
    ["9", { activity: completed(8, 2, { topic: "Older" }), link: undefined }],
  ]);
  server.use(
    http.get("/api/child/1/activities/completed", ({ request }) => {
      const found = pages.get(new URL(request.url).searchParams.get("before"));
      return HttpResponse.json(found && [found.activity], found?.link && { headers: found.link });
    }),
  );
  expect(await screen.findByText("Newer")).toBeVisible();

  await user.click(await screen.findByRole("button", { name: "Show earlier" }));

  expect(await screen.findByText("Older")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show earlier" })).toBeNull();
});

test("an upcoming activity is a card with topic, summary if there is one, Like and Dislike", async () => {
  renderAt(UPCOMING);

  const volcano = await card("Build a paper volcano");
  expect(volcano.getByText(/Mia asked twice why mountains smoke/u)).toBeVisible();
  expect(volcano.getByRole("button", { name: "Like" })).toHaveAccessibleDescription("Build a paper volcano");
  expect(volcano.getByRole("button", { name: "Dislike" })).toBeVisible();
});

test("Like opens the panel, and the same button closes it", async () => {
  const { user } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  const like = volcano.getByRole("button", { name: "Like" });

  await user.click(like);
  expect(like).toHaveAttribute("aria-expanded", "true");
  expect(volcano.getByPlaceholderText(PLACEHOLDER)).toBeVisible();
  await user.click(like);

  expect(like).toHaveAttribute("aria-expanded", "false");
  expect(screen.queryByPlaceholderText(PLACEHOLDER)).toBeNull();
});

test("the other button switches direction and clears reason and error", async () => {
  expectLogged(/status 503/u);
  const { user } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), "fail with detail");
  await user.click(volcano.getByRole("button", { name: "Submit" }));
  await volcano.findByRole("alert");

  await user.click(volcano.getByRole("button", { name: "Dislike" }));

  expect(volcano.getByRole("button", { name: "Dislike" })).toHaveAttribute("aria-expanded", "true");
  expect(volcano.getByRole("button", { name: "Like" })).toHaveAttribute("aria-expanded", "false");
  expect(volcano.getByRole("textbox")).toHaveValue("");
  expect(volcano.queryByRole("alert")).toBeNull();
});

test("Cancel closes the panel and gives the focus back to its button", async () => {
  const { user, backend } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Dislike" }));

  await user.click(volcano.getByRole("button", { name: "Cancel" }));

  expect(screen.queryByPlaceholderText(PLACEHOLDER)).toBeNull();
  expect(volcano.getByRole("button", { name: "Dislike" })).toHaveFocus();
  expect(backend.family(PARENT).feedback).toEqual([]);
});

test("a typed reason is restored after Cancel, and after another activity's panel", async () => {
  const { user } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  const kite = await card("The lost kite, chapter two");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), "She loves lava");

  await user.click(volcano.getByRole("button", { name: "Cancel" }));
  await user.click(volcano.getByRole("button", { name: "Like" }));
  expect(volcano.getByRole("textbox")).toHaveValue("She loves lava");
  await user.click(kite.getByRole("button", { name: "Dislike" }));
  expect(kite.getByRole("textbox")).toHaveValue("");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  expect(volcano.getByRole("textbox")).toHaveValue("She loves lava");
  await user.click(volcano.getByRole("button", { name: "Dislike" }));

  expect(volcano.getByRole("textbox")).toHaveValue("");
});

test("a vote that isn't submitted is kept and says so, also on other pages", async () => {
  const { user, backend, router } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));

  const kite = await card("The lost kite, chapter two");
  await user.click(kite.getByRole("button", { name: "Dislike" }));
  await user.click(kite.getByRole("button", { name: "Cancel" }));
  expect(kite.queryByText(/is not sent yet/u)).toBeNull();
  const line = "Not sent yet. Press it again to send it.";
  expect(volcano.getByText(line)).toBeVisible();
  await router.navigate("/child/1/metrics");
  expect(await screen.findByText("Your last change for Mia is not saved yet.")).toHaveRole("status");
  await user.click(screen.getByRole("link", { name: "Go there" }));

  const again = await card("Build a paper volcano");
  expect(again.getByText(line)).toBeVisible();
  await user.click(again.getByRole("button", { name: "Like" }));
  await user.click(again.getByRole("button", { name: "Submit" }));
  await waitFor(() =>
    expect(backend.family(PARENT).feedback).toEqual([{ activity_id: "volcano", feedback: "up" }]),
  );
  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  expect(screen.queryByText("Your last change for Mia is not saved yet.")).toBeNull();
});

test("feedback is sent trimmed; its card is removed and the focus moves to the next one", async () => {
  const { user, backend } = renderAt(UPCOMING);
  const kite = await card("The lost kite, chapter two");
  await user.click(kite.getByRole("button", { name: "Dislike" }));
  await user.type(kite.getByRole("textbox"), "  Too sad \n");

  await user.click(kite.getByRole("button", { name: "Submit" }));

  await waitFor(() =>
    expect(screen.queryByRole("heading", { name: "The lost kite, chapter two" })).toBeNull(),
  );
  expect(screen.queryByPlaceholderText(PLACEHOLDER)).toBeNull();
  expect(backend.family(PARENT).feedback).toEqual([
    { activity_id: "kite/2", feedback: "down", reason: "Too sad" },
  ]);
  expect(screen.getByRole("heading", { name: "Times tables as a song" })).toHaveFocus();
});

test("after the last card is removed, the focus moves to the empty state", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).upcoming.set(1, [{ activity_id: "only", topic: "Only one" }]);
  const { user } = renderAt(UPCOMING, { backend });
  const only = await card("Only one");
  await user.click(only.getByRole("button", { name: "Like" }));

  await user.click(only.getByRole("button", { name: "Submit" }));

  const sentence = await screen.findByText("No upcoming sessions scheduled or recommended.");
  await waitFor(() => expect(sentence).toHaveFocus());
  expect(backend.family(PARENT).feedback).toEqual([{ activity_id: "only", feedback: "up" }]);
});

test("feedback is taken back by the line that says so, in the place of its card", async () => {
  const { user, backend } = renderAt(UPCOMING);
  const kite = await card("The lost kite, chapter two");
  const before = topics();
  await user.click(kite.getByRole("button", { name: "Dislike" }));
  await user.click(kite.getByRole("button", { name: "Submit" }));

  const undo = await screen.findByRole("button", { name: "Undo" });
  const line = "Disliked: The lost kite, chapter two";
  expect(undo.parentElement).toHaveTextContent(line);
  expect(screen.getByText("Feedback sent.")).toHaveRole("status");
  const after = (await card("Build a paper volcano")).getByRole("heading");
  expect(after.compareDocumentPosition(undo)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const next = screen.getByRole("heading", { name: "Times tables as a song" });
  expect(next.compareDocumentPosition(undo)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  await user.click(undo);

  expect(await screen.findByText("Feedback taken back.")).toHaveRole("status");
  expect(topics()).toEqual(before);
  expect(screen.getByRole("heading", { name: "The lost kite, chapter two" })).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(backend.family(PARENT).feedback).toEqual([]);
});

test("an activity that its assistant has withdrawn doesn't come back, and the focus isn't lost", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).upcoming.set(1, [{ activity_id: "only", topic: "Only one" }]);
  const { user } = renderAt(UPCOMING, { backend });
  const only = await card("Only one");
  await user.click(only.getByRole("button", { name: "Like" }));
  await user.click(only.getByRole("button", { name: "Submit" }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(undo.parentElement).toHaveTextContent("Liked: Only one");
  backend.family(PARENT).upcoming.set(1, []);

  await user.click(undo);

  expect(await screen.findByText("Feedback taken back.")).toHaveRole("status");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(screen.getByText("No upcoming sessions scheduled or recommended.")).toHaveFocus();
});

test("if feedback can't be taken back, the line stays and says why", async () => {
  expectLogged(/status 409/u);
  const { user } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), "fail to undo");
  await user.click(volcano.getByRole("button", { name: "Submit" }));

  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("This feedback isn't known to be yours.");
  expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus();
  const song = await card("Times tables as a song");
  await user.click(song.getByRole("button", { name: "Like" }));
  await user.click(song.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText(/^Liked:/u)).toHaveTextContent("Times tables as a song");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a running submission is shown, and there is only one at a time", async () => {
  const { user, backend } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), "slow");
  await user.click(volcano.getByRole("button", { name: "Submit" }));

  const busy = await volcano.findByRole("button", { name: "Submitting..." });
  await user.click(busy);
  await user.click(volcano.getByRole("button", { name: "Cancel" }));
  const song = await card("Times tables as a song");
  await user.click(song.getByRole("button", { name: "Like" }));

  expect(screen.getAllByRole("textbox")).toHaveLength(1);
  expect(volcano.getByRole("textbox")).toHaveAttribute("readonly");
  await waitFor(() => expect(backend.calls.get(FEEDBACK)).toBe(1));
});

test.each([
  ["the other tab", COMPLETED],
  ["another section", "/child/1/metrics"],
])(
  "a feedback error while %s is shown is reported there, and no input is lost",
  async (_where, elsewhere) => {
    expectLogged(/status 503/u);
    const { promise: answer, resolve: letFail } = Promise.withResolvers<void>();
    const { user, backend, router } = renderAt(UPCOMING);
    server.use(
      http.put("/api/child/1/activities/upcoming/volcano/feedback", async () => {
        await answer;
        return HttpResponse.json({ detail: "Not now." }, { status: 503 });
      }),
    );
    const volcano = await card("Build a paper volcano");
    await user.click(volcano.getByRole("button", { name: "Like" }));
    await user.type(volcano.getByRole("textbox"), "She loves fire");
    await user.click(volcano.getByRole("button", { name: "Submit" }));
    await router.navigate(elsewhere);

    letFail();

    expect(await screen.findByText("Your last change for Mia is not saved yet. Not now.")).toHaveRole(
      "alert",
    );
    await user.click(screen.getByRole("link", { name: "Go there" }));
    const again = await card("Build a paper volcano");
    expect(again.getByRole("alert")).toHaveTextContent(/^Not now\.$/u);
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    expect(again.getByRole("textbox")).toHaveValue("She loves fire");
    server.resetHandlers(...backend.handlers);
    await user.click(again.getByRole("button", { name: "Submit" }));
    await waitFor(() => expect(backend.family(PARENT).feedback).toHaveLength(1));
  },
);

test("there is one submission at a time across tabs and children", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).upcoming.set(2, [{ activity_id: "dig", topic: "Dig for bones" }]);
  const { user, router } = renderAt(UPCOMING, { backend });
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), "slow");
  await user.click(volcano.getByRole("button", { name: "Submit" }));

  await user.click(screen.getByRole("tab", { name: "Completed" }));
  await user.click(screen.getByRole("tab", { name: "Upcoming" }));
  const song = await card("Times tables as a song");
  await user.click(song.getByRole("button", { name: "Like" }));
  expect(song.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("button", { name: "Submitting..." })).toBeVisible();

  await router.navigate("/child/2/activities/upcoming");
  const dig = await card("Dig for bones");
  await user.click(dig.getByRole("button", { name: "Like" }));
  await user.click(dig.getByRole("button", { name: "Submit" }));
  expect(dig.getByRole("button", { name: "Submit" })).toHaveAttribute("aria-disabled", "true");
  await waitFor(() => expect(backend.calls.get(FEEDBACK)).toBe(1));
});

test.each([
  ["fail with detail", "Feedback can't be saved right now. Please try again in a minute."],
  ["fail with message", "The feedback was not saved, says the message."],
  ["fail with nothing", "An unknown error occurred during feedback submission."],
  ["offline", "The server can't be reached. Please check your connection."],
])("'%s' shows its message below the panel and keeps the input", async (reason, sentence) => {
  expectLogged(/status (?:500|502|503)/u, /can't be reached/u);
  const { user } = renderAt(UPCOMING);
  const volcano = await card("Build a paper volcano");
  await user.click(volcano.getByRole("button", { name: "Like" }));
  await user.type(volcano.getByRole("textbox"), reason);

  await user.click(volcano.getByRole("button", { name: "Submit" }));

  expect(await volcano.findByRole("alert")).toHaveTextContent(sentence);
  expect(volcano.getByRole("textbox")).toHaveValue(reason);
  expect(volcano.getByRole("button", { name: "Submit" })).toBeVisible();
  expect(vi.spyOn(console, "error")).toHaveBeenCalledWith(expect.any(Error));
});

const DAMAGED = "damaged@example.com";

test.each([
  [COMPLETED, "2 records could not be read"],
  [UPCOMING, "1 record could not be read"],
])("%s shows how many activities are unreadable", async (path, sentence) => {
  renderAt(path, { as: DAMAGED });

  expect(await screen.findByText(sentence)).toHaveRole("status");
  expect(screen.getByText(path === COMPLETED ? "Counting aloud" : "Build a paper volcano")).toBeVisible();
});

test.each([
  ["/child/2/activities/completed", "7 records could not be read", "No completed activities yet."],
  [
    "/child/2/activities/upcoming",
    "3 records could not be read",
    "No upcoming sessions scheduled or recommended.",
  ],
])(
  "%s with only unreadable activities shows their number instead of the empty state",
  async (path, sentence, none) => {
    renderAt(path, { as: DAMAGED });

    expect(await screen.findAllByText(sentence)).toHaveLength(1);
    expect(screen.queryByText(none)).toBeNull();
  },
);

test("after feedback on the last readable activity, the unreadable ones are still counted, and their line is focused", async () => {
  const { user, backend } = renderAt(UPCOMING, { as: DAMAGED });
  const [readable] = backend.family(DAMAGED).upcoming.get(1) ?? [];
  if (readable === undefined) throw new Error("Nothing is proposed.");
  const others = backend.family(DAMAGED).upcoming.get(1)?.slice(1) ?? [];
  for (const activity of others) backend.family(DAMAGED).unreadable.add(activity);

  await user.click((await card("Build a paper volcano")).getByRole("button", { name: "Like" }));
  await user.click(await screen.findByRole("button", { name: "Submit" }));

  await waitFor(() => expect(screen.queryByRole("heading", { name: "Build a paper volcano" })).toBeNull());
  expect(screen.getByText("2 records could not be read")).toHaveFocus();
});

test("unreadable activities don't shorten a page, and each page's are counted", async () => {
  const backend = backendWithCompleted(
    ...Array.from({ length: 520 }, (_, index) => completed(5000 - index, index)),
  );
  const family = backend.family(PARENT);
  const rows = family.completed.get(1) ?? [];
  family.unreadable = new Set([...rows.slice(10, 15), ...rows.slice(510, 512)]);
  const { user } = renderAt(COMPLETED, { backend });

  await screen.findByText("5 records could not be read");
  expect(await cells()).toHaveLength(500);
  await user.click(screen.getByRole("button", { name: "Show earlier" }));

  expect(await screen.findByText("7 records could not be read")).toBeVisible();
  expect(await cells()).toHaveLength(513);
});
