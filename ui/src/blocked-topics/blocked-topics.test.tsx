import { act as during, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http as mock } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { mandatoryTopics, suggestedTopics } from "./rules";
import { FakeBackend } from "../test/fake-backend";
import { changeElsewhere } from "../test/fake-backend-blocked-topics";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const PARENT = "parent@example.com";
const PAGE = "/child/1/topic-blocklist";
const CALL = "/api/child/1/blocked_topics";

afterEach(() => vi.useRealTimers());

function input() {
  return screen.findByRole("textbox", { name: "A topic of your own" });
}

function addButton() {
  return screen.getByRole("button", { name: /^Add/u });
}

function ownTopics(): string[] {
  const list = screen.queryByRole("list", { name: "Your own topics" });
  return list === null
    ? []
    : within(list)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent);
}

function backendWith(...topics: string[]) {
  const backend = new FakeBackend();
  const list = { topics, guardians: 1, version: 1 };
  backend.family(PARENT).blockLists.set(1, list);
  return { backend, list };
}

async function open(...topics: string[]) {
  const { backend, list } = backendWith(...topics);
  const { user } = renderAt(PAGE, { backend });
  return { user, list, box: await input() };
}

/** Types a topic and presses Enter, without `userEvent`'s timers. */
function enter(box: HTMLElement, topic: string) {
  fireEvent.change(box, { target: { value: topic } });
  const form = box.closest("form");
  if (form === null) throw new Error("The input stands in no form.");
  fireEvent.submit(form);
}

function consoleLines(): unknown[][] {
  // oxlint-disable-next-line no-console -- a spy
  return vi.mocked(console.error).mock.calls;
}

function pass(ms: number) {
  during(() => {
    vi.advanceTimersByTime(ms);
  });
}

test("the page says what the list is for, and that it is private", async () => {
  await open();

  expect(screen.getByRole("heading", { level: 1, name: "Topic Block List for Mia" })).toBeVisible();
  expect(document.title).toBe("Topic Block List for Mia · Porchlight");
  expect(screen.getByText(/The assistant avoids these topics/u)).toHaveTextContent(
    "Those marked with a lock are mandatory and cannot be removed. Type your own, or pick from the suggestions below.",
  );
  expect(screen.getByText(/This list is private to you/u)).toHaveTextContent(
    "Mia is not notified when a topic is blocked.",
  );
  expect(screen.queryByText(/You share it/u)).toBeNull();
});

test.each([
  [2, "You share this with the child's other guardian"],
  [4, "You share this with the child's 3 other guardians"],
])("with %i guardians the page says that they share the list", async (guardians, sentence) => {
  const { backend, list } = backendWith();
  list.guardians = guardians;
  renderAt(PAGE, { backend });

  expect(await screen.findByText(/This list is private to you/u)).toHaveTextContent(sentence);
});

test("the page has a loading state", async () => {
  renderAt("/child/102/topic-blocklist");

  expect(await screen.findByText("Loading blocked topics for Slow...")).toBeVisible();
});

test.each([
  ["the server's detail", { detail: "Not now, says the server." }, 503, "Not now, says the server."],
  ["the default sentence", {}, 502, "An unknown error occurred fetching blocked topics."],
])(
  "a list that can't be loaded shows %s, is empty and can be retried",
  async (_what, body, status, sentence) => {
    expectLogged(/status (?:502|503)/u);
    const { backend } = backendWith("Ghosts");
    const { user } = renderAt(PAGE, { backend });
    // A page may cancel its first request and make it again.
    server.use(mock.get(CALL, () => HttpResponse.json(body, { status })));

    expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
    expect(screen.queryByText("Ghosts")).toBeNull();
    expect(consoleLines()).toContainEqual([expect.any(Error)]);

    server.resetHandlers(...backend.handlers);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Ghosts")).toBeVisible();
  },
);

test.each([[{ topics: ["Ghosts"] }], ["Ghosts"], [[1, 2]], [null]])(
  "an answer that is not a list of strings counts as an empty list: %j",
  async (answer) => {
    const { backend } = backendWith();
    renderAt(PAGE, { backend });
    server.use(mock.get(CALL, () => HttpResponse.json(answer)));

    expect(
      await screen.findByText("No topics are currently blocked (besides mandatory safety filters)."),
    ).toBeVisible();
  },
);

test("mandatory topics come first, with a lock, and the child's own follow in order", async () => {
  await open("Zombies", "Ants");
  const lists = within(screen.getByRole("region", { name: "Currently Blocked Topics" })).getAllByRole("list");

  expect(lists.map((list) => list.getAttribute("aria-label"))).toEqual(["Always blocked", "Your own topics"]);
  expect(
    within(screen.getByRole("list", { name: "Always blocked" }))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent.split("This topic")[0]),
  ).toEqual(mandatoryTopics);
  expect(ownTopics()).toEqual(["Zombies", "Ants"]);
});

test("a mandatory topic cannot be removed, and the message is shown for 4 seconds", async () => {
  const { list } = await open("Ghosts");
  vi.useFakeTimers();
  const remove = screen.getByRole("button", { name: `Remove ${mandatoryTopics[2]}` });
  expect(remove).toHaveAttribute("aria-disabled", "true");

  fireEvent.click(remove);

  const sentence = '"Promotion of Illegal Activities" is always blocked and cannot be removed.';
  expect(screen.getByRole("alert")).toHaveTextContent(sentence);
  pass(3999);
  expect(screen.getByRole("alert")).toBeVisible();
  pass(1);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(list.version).toBe(1);
});

test.each([
  ["mouse", 199, 0],
  ["touch", 0, 1],
])(
  "for a %s, after %i ms, %i tooltip of a mandatory topic is open; after 200 one is",
  async (pointerType, before, thenOpen) => {
    await open();
    vi.useFakeTimers();
    const remove = screen.getByRole("button", { name: `Remove ${mandatoryTopics[0]}` });
    expect(remove).toHaveAccessibleDescription(
      "This topic is always blocked for safety and cannot be removed.",
    );

    const pointer = new MouseEvent("pointerover", { bubbles: true });
    Object.defineProperty(pointer, "pointerType", { value: pointerType });
    fireEvent(remove, pointer);

    pass(before);
    expect(screen.queryAllByRole("tooltip")).toHaveLength(thenOpen);
    pass(1);
    expect(screen.getByRole("tooltip")).toHaveTextContent(
      "This topic is always blocked for safety and cannot be removed.",
    );
  },
);

test("the tooltip opens on focus and closes with Escape", async () => {
  const { user } = await open();
  const remove = screen.getByRole("button", { name: `Remove ${mandatoryTopics[0]}` });

  during(() => {
    remove.focus();
  });
  expect(screen.getByRole("tooltip")).toBeVisible();

  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("'Add Topic' is disabled while the input is blank", async () => {
  const { user, box } = await open();
  expect(box).toHaveAttribute("placeholder", "Enter custom topic to block...");
  expect(addButton()).toHaveAttribute("aria-disabled", "true");

  await user.type(box, "   ");
  expect(addButton()).toHaveAttribute("aria-disabled", "true");

  await user.type(box, "g");
  expect(addButton()).toHaveAttribute("aria-disabled", "false");
});

test.each([
  ["Enter adds", "Ghosts{Enter}", false],
  ["the button adds", "Ghosts", true],
])("%s what was typed: it is on screen, saved, and the input is empty", async (_how, keys, click) => {
  const { user, list, box } = await open("Ants");

  await user.type(box, keys);
  if (click) await user.click(addButton());

  await waitFor(() => expect(list.topics).toEqual(["Ants", "Ghosts"]));
  expect(ownTopics()).toEqual(["Ants", "Ghosts"]);
  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(box).toHaveValue("");
});

test("during a save the change is shown and other controls are disabled", async () => {
  const { user, list, box } = await open("Ants");

  await user.type(box, "slow{Enter}");

  expect(ownTopics()).toEqual(["Ants", "slow"]);
  expect(screen.getByText("Saving changes...")).toBeVisible();
  expect(addButton()).toHaveTextContent("Adding...");
  const waiting = [
    box,
    addButton(),
    screen.getByRole("button", { name: "Remove Ants" }),
    screen.getByRole("button", { name: "Substance Abuse and Addiction" }),
  ];
  for (const element of waiting) expect(element).toHaveAttribute("aria-disabled", "true");
  expect(box).toHaveAttribute("readonly");

  await user.click(screen.getByRole("button", { name: "Remove Ants" }));
  await user.click(screen.getByRole("button", { name: "Substance Abuse and Addiction" }));
  expect(ownTopics()).toEqual(["Ants", "slow"]);
  expect(list.version).toBe(1);
});

test("removing saves the other topics, and focuses the next topic", async () => {
  const { user, list } = await open("Zombies", "Ants", "Money");

  await user.click(screen.getByRole("button", { name: "Remove Ants" }));

  expect(ownTopics()).toEqual(["Zombies", "Money"]);
  expect(screen.getByRole("button", { name: "Remove Money" })).toHaveFocus();
  await waitFor(() => expect(list.topics).toEqual(["Zombies", "Money"]));
});

test("removing the last own topic shows the empty state and focuses the heading of the list", async () => {
  const { user } = await open("Ghosts");

  await user.click(screen.getByRole("button", { name: "Remove Ghosts" }));

  expect(
    screen.getByText("No topics are currently blocked (besides mandatory safety filters)."),
  ).toBeVisible();
  expect(screen.getByRole("heading", { name: "Currently Blocked Topics" })).toHaveFocus();
});

test("clicking a suggestion adds it and removes it from the suggestions; without suggestions the section is hidden", async () => {
  const [last = "", ...rest] = suggestedTopics;
  const { user, list } = await open(...rest.map((topic) => topic.toLowerCase()));
  const region = screen.getByRole("region", { name: "Example Topics to Block" });
  expect(region).toHaveTextContent("Click a topic below to add it to your blocked list.");
  expect(within(region).getAllByRole("button")).toHaveLength(1);

  await user.click(screen.getByRole("button", { name: last }));

  expect(screen.queryByRole("region", { name: "Example Topics to Block" })).toBeNull();
  await waitFor(() => expect(list.topics.at(-1)).toBe(last));
});

test.each([
  [
    "violence, hate, AND harassment",
    '"violence, hate, AND harassment" is always blocked and cannot be added manually.',
    4,
  ],
  ["ghosts", '"ghosts" is already in your blocked list.', 3],
  ["ab", '"ab" is too short.', 3],
  ["the", '"the" is too general.', 3],
  ["a".repeat(201), "A topic can have at most 200 characters.", 3],
])("%s is rejected with its message, which times out", async (topic, sentence, seconds) => {
  const { list, box } = await open("Ghosts");
  vi.useFakeTimers();

  enter(box, topic);

  expect(screen.getByRole("alert")).toHaveTextContent(sentence);
  pass(seconds * 1000 - 1);
  expect(screen.getByRole("alert")).toBeVisible();
  pass(1);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(list.version).toBe(1);
});

test("the same message again restarts its timeout", async () => {
  const { box } = await open();
  vi.useFakeTimers();
  enter(box, "ab");
  pass(2000);

  enter(box, "ab");
  pass(2999);

  expect(screen.getByRole("alert")).toBeVisible();
});

test.each([
  ["fail with detail", "The list can't be saved right now. Please try again in a minute."],
  ["fail with message", "The list was not saved, says the message."],
  ["fail with nothing", "An unknown error occurred during saving."],
  ["offline", "The server can't be reached. Please check your connection."],
])("'%s': a failed save is shown, logged, and not rolled back", async (topic, sentence) => {
  expectLogged(/status (?:500|502|503)/u, /can't be reached/u);
  const { user, list, box } = await open("Ants");

  await user.type(box, `${topic}{Enter}`);

  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
  expect(ownTopics()).toEqual(["Ants", topic]);
  expect(list.topics).toEqual(["Ants"]);
  expect(consoleLines()).toContainEqual([expect.any(Error)]);
});

test("the input is emptied only after the save has succeeded", async () => {
  expectLogged(/can't be reached/u);
  const { user, box } = await open("Ants");
  server.use(mock.put(CALL, () => HttpResponse.error(), { once: true }));

  await user.type(box, "Ghosts{Enter}");
  await screen.findByRole("alert");
  expect(box).toHaveValue("Ghosts");

  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Saved.");
  expect(box).toHaveValue("");
});

test("a save that fails after leaving the page is reported on the current page and can be repeated", async () => {
  expectLogged(/status 503/u);
  const { promise: answer, resolve: letFail } = Promise.withResolvers<void>();
  const { backend, list } = backendWith("Ants");
  const { user, router } = renderAt(PAGE, { backend });
  const box = await input();
  server.use(
    mock.put(
      CALL,
      async () => {
        await answer;
        return HttpResponse.json({ detail: "Not now." }, { status: 503 });
      },
      { once: true },
    ),
  );
  await user.type(box, "Ghosts{Enter}");
  await user.click((await screen.findAllByRole("link", { name: "Metrics" }))[0] ?? box);
  await screen.findByRole("heading", { name: "Metrics Page" });

  letFail();

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Your last change for Mia is not saved yet. Not now.",
  );
  await router.navigate("/child/2/metrics");
  await user.click(screen.getByRole("link", { name: "Go there" }));
  expect(await screen.findByRole("heading", { name: "Topic Block List for Mia" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent(/^Not now\.$/u);
  expect(ownTopics()).toEqual(["Ants", "Ghosts"]);
  expect(await input()).toHaveValue("Ghosts");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(list.topics).toEqual(["Ants", "Ghosts"]));
  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a failed change and a half-typed topic are restored when the parent returns", async () => {
  expectLogged(/can't be reached/u);
  const { user, box } = await open("Ants");
  await user.type(box, "offline{Enter}");
  await screen.findByRole("alert");
  await user.clear(box);
  await user.type(box, "Half typ");

  await user.click((await screen.findAllByRole("link", { name: "Metrics" }))[0] ?? box);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    /^Your last change for Mia is not saved yet\.$/u,
  );
  await user.click((await screen.findAllByRole("link", { name: "Topic Block List" }))[0] ?? box);

  expect(await input()).toHaveValue("Half typ");
  expect(ownTopics()).toEqual(["Ants", "offline"]);
  expect(screen.getByText("Your last change is not saved yet.")).toBeVisible();
});

test("signing out drops unsaved changes", async () => {
  expectLogged(/can't be reached/u);
  const { user, box } = await open("Ants");
  await user.type(box, "offline{Enter}");
  await screen.findByRole("alert");

  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Sign out" }));
  await screen.findByRole("button", { name: "Send Sign-In Link" });

  expect(document.body).not.toHaveTextContent("block list");
});

test("typing clears an error; an unsaved change is still reported and can be saved again", async () => {
  expectLogged(/can't be reached/u);
  const { user, list, box } = await open("Ants");
  server.use(mock.put(CALL, () => HttpResponse.error(), { once: true }));
  await user.type(box, "Ghosts{Enter}");
  await screen.findByRole("alert");

  await user.type(box, "x");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("Your last change is not saved yet.")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(list.topics).toEqual(["Ants", "Ghosts"]));
  await waitFor(() => expect(screen.queryByText("Your last change is not saved yet.")).toBeNull());
});

test.each([
  ["a list", ["As kept"], ["As kept"]],
  ["an object with a topics list", { topics: ["As kept"] }, ["As kept"]],
  ["an object without one", { kept: true }, ["Ants", "Ghosts"]],
  ["a list of something else", [{}], ["Ants", "Ghosts"]],
  ["nothing", undefined, ["Ants", "Ghosts"]],
])("the response to a save may be %s", async (_what, answer, shown) => {
  const { user, box } = await open("Ants");
  server.use(mock.put(CALL, () => HttpResponse.json(answer)));

  await user.type(box, "Ghosts{Enter}");

  await screen.findByText("Saved.");
  expect(ownTopics()).toEqual(shown);
});

test("only custom topics are sent, with the ETag of the edited list", async () => {
  const { user, list, box } = await open("Ants", "promotion of illegal activities");
  list.version = 7;
  const sent: unknown[] = [];
  server.use(
    mock.get(CALL, () => HttpResponse.json(list.topics, { headers: { ETag: '"7"' } })),
    mock.put(CALL, async ({ request }) => {
      sent.push(request.headers.get("If-Match"), await request.json());
      return HttpResponse.json([], { headers: { ETag: '"8"' } });
    }),
  );

  await user.type(box, "Ghosts{Enter}");
  await screen.findByText("Saved.");
  await user.type(box, "Money{Enter}");
  await waitFor(() => expect(sent).toHaveLength(4));

  expect(sent).toEqual(['"1"', ["Ants", "Ghosts"], '"8"', ["Money"]]);
});

test("after a conflict a change is repeated on the other guardian's list", async () => {
  const { user, list } = await open("Ants", "Ghosts");
  changeElsewhere(list, ["Ants", "Ghosts", "Theirs"]);

  await user.click(screen.getByRole("button", { name: "Remove Ants" }));

  await waitFor(() => expect(list.topics).toEqual(["Ghosts", "Theirs"]));
  await waitFor(() => expect(ownTopics()).toEqual(["Ghosts", "Theirs"]));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("after four conflicts a save fails with the server's message", async () => {
  expectLogged(/status 412/u);
  const { user, box } = await open("Ants");
  let tries = 0;
  server.use(
    mock.put(CALL, () => {
      tries += 1;
      return HttpResponse.json({ detail: "The list was changed meanwhile." }, { status: 412 });
    }),
  );

  await user.type(box, "Ghosts{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent("The list was changed meanwhile.");
  expect(tries).toBe(4);
  expect(ownTopics()).toEqual(["Ants", "Ghosts"]);
});

test("a topic that was removed is put back by the line that says so", async () => {
  const { user, list } = await open("Ants", "Ghosts");
  await user.click(screen.getByRole("button", { name: "Remove Ants" }));
  await waitFor(() => expect(list.topics).toEqual(["Ghosts"]));
  expect(await screen.findByText("Removed: Ants.")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Undo" }));

  await waitFor(() => expect(list.topics).toEqual(["Ghosts", "Ants"]));
  expect(await screen.findByRole("button", { name: "Remove Ants" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("from thirty topics on the list can be filtered, and what is added is shown", async () => {
  const many = Array.from({ length: 30 }, (_, index) => `Topic ${index + 1}`);
  const { user, box } = await open(...many);
  const filter = screen.getByRole("searchbox", { name: "Find one of your 30 topics" });

  await user.type(filter, "TOPIC 3");
  expect(ownTopics()).toEqual(["Topic 3", "Topic 30"]);
  await user.click(screen.getByRole("button", { name: "Remove Topic 3" }));
  expect(screen.getByRole("button", { name: "Remove Topic 30" })).toHaveFocus();
  await screen.findByText("Saved.");
  await user.type(box, "Ghosts{Enter}");

  expect(filter).toHaveValue("");
  expect(ownTopics()).toHaveLength(30);
});

test("with fewer topics there is no filter", async () => {
  await open(...Array.from({ length: 29 }, (_, index) => `Topic ${index + 1}`));

  expect(screen.queryByRole("searchbox")).toBeNull();
});

test("drafts and topics are separate for each child", async () => {
  const { backend } = backendWith("Ants");
  const { user, router } = renderAt(PAGE, { backend });
  await user.type(await input(), "Half typ");

  await router.navigate("/child/2/topic-blocklist");

  expect(await screen.findByText("Scary clowns")).toBeVisible();
  expect(screen.getByRole("textbox")).toHaveValue("");
  expect(screen.queryByText("Ants")).toBeNull();
});

test("a topic is shown as text and can't change the direction of what follows", async () => {
  await open("<b>Ghosts</b>", "Turned \u202Earound");

  expect(ownTopics()).toEqual(["<b>Ghosts</b>", "Turned [RLO]around"]);
});
