import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { type GatewayLine, gatewaySession } from "../test/families";
import { renderAt } from "../test/render-at";

const MINUTE = 60_000;

/** Opens a conversation of these messages. */
function renderConversation(lines: readonly GatewayLine[]) {
  const backend = new FakeBackend();
  backend.family("parent@example.com").sessions = [gatewaySession(1, 1, MINUTE, lines, { topic: "Owls" })];
  return renderAt("/child/1/transcripts", { backend });
}

async function rows() {
  const region = await screen.findByRole("region", { name: "Messages" });
  return within(region).findAllByRole("listitem");
}

function printed() {
  act(() => void dispatchEvent(new Event("beforeprint")));
  const article = screen.getByRole("article", { hidden: true });
  const text = article.textContent;
  act(() => void dispatchEvent(new Event("afterprint")));
  return text;
}

const CHAT: GatewayLine[] = [
  ["app", "You are a pirate.", { kind: "instructions" }],
  ["child", "Do owls sleep?", { kind: "earlier" }],
  ["assistant", "By day.", { kind: "earlier", from_app: true }],
  ["child", "Why?"],
  ["assistant", "She asks about owls.", { kind: "reasoning" }],
  ["assistant", "They hunt at night."],
  ["child", "Generate a title.", { kind: "background" }],
  ["assistant", "Sleepy owls", { kind: "background" }],
];

test("what was not said is folded, not counted, and shown on demand", async () => {
  const { user } = renderConversation(CHAT);

  expect(await rows()).toHaveLength(6);
  const headings = (await rows()).flatMap((row) => within(row).queryAllByRole("button"));
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "Instructions sent with the request. Anyone who can change the app's settings can write these.",
    "2 messages said earlier",
    "The AI's working notes",
    "2 messages in a request that looks like the app's own",
  ]);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  expect(screen.getByText("2 messages")).toBeVisible();
  await user.keyboard("{Escape}");

  const earlier = screen.getByRole("button", { name: "2 messages said earlier" });
  expect(earlier).toHaveAttribute("aria-expanded", "false");
  expect(screen.queryByText("Do owls sleep?")).toBeNull();
  act(() => earlier.focus());
  await user.keyboard("{Enter}");
  expect(earlier).toHaveAttribute("aria-expanded", "true");
  expect(earlier).toHaveFocus();
  const opened = await rows();
  expect(opened).toHaveLength(8);
  expect(opened[2]).toHaveTextContent("Mia, earlier:Do owls sleep?");
  expect(opened[3]).toHaveTextContent("assistant, earlier:By day.from the app, not the model");

  await user.keyboard("{Enter}");
  expect(await rows()).toHaveLength(6);
});

test("each kind says what it is to a screen reader", async () => {
  const { user } = renderConversation([...CHAT, ["tool", "Owl: a bird", { kind: "tool" }]]);
  for (const row of await rows())
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const button of within(row).queryAllByRole("button")) await user.click(button);

  const texts = (await rows()).map(({ textContent }) => textContent);
  expect(texts).toEqual(
    expect.arrayContaining([
      "Instructions sent with the request:You are a pirate.",
      "The AI's working notes:She asks about owls.",
      "Not said by anybody:Generate a title.",
      "Not said by anybody:Sleepy owls",
      "What a tool answered:Owl: a bird",
    ]),
  );
});

test("what was not said is printed under its heading", async () => {
  renderConversation(CHAT);
  await rows();

  const text = printed();

  expect(text).toContain(
    "Instructions sent with the request. Anyone who can change the app's settings can write these.You are a pirate.",
  );
  expect(text).toContain("2 messages said earlierMia, earlierDo owls sleep?");
  expect(text).toContain("By day. (from the app, not the model)");
  expect(text).toContain("The AI's working notesShe asks about owls.");
});

test("an interrupted message ends where it was heard, and the rest is folded", async () => {
  const { user } = renderConversation([
    ["assistant", "Owls turn their heads", { interrupted: true, heard: 9 }],
    ["assistant", "All the way round", { interrupted: true, heard: 0 }],
  ]);

  const [cut, unheard] = await rows();
  expect(cut).toHaveTextContent(
    /^.*assistant:Owls turn —Interrupted. The rest was not heard.not heard their heads$/u,
  );
  expect(unheard).toHaveTextContent("Interrupted. The rest was not heard.");
  const rest = screen.getByText("their heads");
  expect(rest).not.toBeVisible();
  const [fold] = screen.getAllByText("not heard");
  if (fold === undefined) throw new Error("Not reached.");
  await user.click(fold);
  expect(rest).toBeVisible();

  expect(printed()).toContain("Owls turn — (Interrupted. The rest was not heard.)(not heard)  their heads");
});

test("a tool's call is a quiet line, and long arguments are folded", async () => {
  const { user } = renderConversation([
    ["assistant", 'find {"name": "owl"}', { event_type: "tool_call" }],
    ["assistant", `write {"text": "${"owl ".repeat(60)}"}`, { event_type: "tool_call" }],
  ]);
  await rows();

  expect(screen.getByText('find {"name": "owl"}')).toBeVisible();
  const long = screen.getByText(/^write \{/u);
  expect(long).not.toBeVisible();
  await user.click(screen.getByText("write"));
  expect(long).toBeVisible();
});

test.each<[string, GatewayLine, string]>([
  ["in a fold", ["child", "Do owls sleep?", { kind: "earlier" }], "sleep"],
  ["in a note", ["app", "You are a sleepy pirate.", { kind: "instructions" }], "sleep"],
  ["in what was not heard", ["assistant", "Owls sleep by day", { interrupted: true, heard: 4 }], "sleep"],
  [
    "across the end of what was heard",
    ["assistant", "Owls sleep by day", { interrupted: true, heard: 7 }],
    "eep",
  ],
  [
    "in a tool's long arguments",
    ["assistant", `write {"text": "${"owl ".repeat(60)} sleep"}`, { event_type: "tool_call" }],
    "sleep",
  ],
])("a search match %s opens it and is marked", async (_, line, marked) => {
  const { user } = renderConversation([["child", "Hello"], line, ["child", "Bye"]]);
  await user.type(await screen.findByRole("searchbox", { name: "Search transcripts" }), "sleep");
  const found = await screen.findByRole("region", { name: "Search results" });

  await user.click(await within(found).findByRole("link"));

  const region = await screen.findByRole("region", { name: "Messages" });
  await waitFor(() => expect(within(region).getAllByText(marked, { selector: "mark" }).at(-1)).toBeVisible());
});

test("a search result of what was not said is labelled with what it is", async () => {
  const { user } = renderConversation(CHAT);
  await user.type(await screen.findByRole("searchbox", { name: "Search transcripts" }), "owls");

  const found = await screen.findByRole("region", { name: "Search results" });
  expect(await within(found).findByRole("link", { name: /^Mia, earlier ?:/u })).toBeVisible();
  expect(within(found).getByRole("link", { name: /^The AI's working notes ?:/u })).toBeVisible();
});

test("a fold that was opened by a match can be closed", async () => {
  const { user } = renderConversation(CHAT);
  fireEvent.change(await screen.findByRole("searchbox", { name: "Search transcripts" }), {
    target: { value: "sleep" },
  });
  const found = await screen.findByRole("region", { name: "Search results" });
  await user.click(await within(found).findByRole("link", { name: /Do owls sleep/u }));

  const heading = await screen.findByRole("button", { name: "2 messages said earlier", expanded: true });
  await user.click(heading);
  expect(heading).toHaveAttribute("aria-expanded", "false");
});
