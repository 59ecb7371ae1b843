import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type AssistantReceipt, reportOf } from "../rules/receipts";
import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/topic-blocklist";
const now = new Date(2026, 10, 21, 20);
const today = new Date(2026, 10, 21, 18, 12).toISOString();
const earlier = new Date(2026, 10, 19, 17, 40).toISOString();
const LATER = "Gets the change when it next connects";
const lastYear = new Date(2025, 10, 19, 17, 40).toISOString();

function receipt(kind: AssistantReceipt["kind"], more: Partial<AssistantReceipt> = {}): AssistantReceipt {
  return { name: "Kitchen", kind, ...more };
}

test.each<[AssistantReceipt, string, string]>([
  [receipt("following", { since: today }), "Says it follows this list", "since 6:12 PM"],
  [receipt("following", { since: earlier }), "Says it follows this list", "since Nov 19, 5:40 PM"],
  [receipt("following", { evidence: "added", since: today }), "Added by Porchlight", "since 6:12 PM"],
  [receipt("following", { evidence: "in_prompt" }), "Uses your list", ""],
  [receipt("following", { since: lastYear }), "Says it follows this list", "since Nov 19, 2025, 5:40 PM"],
  [receipt("older", { topics_since: earlier, heard_at: today }), LATER, "last used the list of Nov 19"],
  [receipt("older", { topics_since: today, heard_at: today }), LATER, "last used the list of 6:12 PM"],
  [receipt("older", { heard_at: earlier }), LATER, ""],
  [
    receipt("refused", { reason: "too long for its model" }),
    "Needs attention",
    "couldn't take your list: too long for its model",
  ],
  [receipt("refused", { reason: " " }), "Needs attention", "couldn't take your list"],
  [receipt("asked", { since: today }), "Needs attention", "got your list, hasn't said it uses it"],
  [receipt("silent"), "Needs attention", "doesn't have it yet"],
])("of %j is said: %s, %s", (assistant, status, details) => {
  const report = reportOf(assistant, now);

  expect([report.status, report.details.replaceAll("\u202F", " ")]).toEqual([status, details]);
});

async function open(...assistants: AssistantReceipt[]) {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  const rules = rulesOf({ receipts: { number: 2, topics_number: 1, assistants } });
  backend.family("parent@example.com").rules.set(1, rules);
  const rendered = renderAt(PAGE, { backend });
  const section = await screen.findByRole("region", { name: "Who has this list?" });
  return { ...rendered, rules, section };
}

async function reports(section: HTMLElement): Promise<string[]> {
  const items = await within(section).findAllByRole("listitem");
  return items.map(({ textContent }) => textContent);
}

test("assistants are sorted, those that need attention first, and only what is proved has a check mark", async () => {
  const { section, user } = await open(
    receipt("following", { name: "Chat", evidence: "added" }),
    receipt("following", { evidence: "in_prompt" }),
    receipt("following", { name: "Car" }),
    receipt("older", { name: "Robot" }),
    receipt("silent", { name: "Tablet" }),
    receipt("refused", { name: "Toy" }),
  );

  expect(await reports(section)).toEqual([
    "Toy Needs attention couldn't take your list",
    "Tablet Needs attention doesn't have it yet",
    "Robot Gets the change when it next connects",
    "Car Says it follows this list",
    "Kitchen Uses your list",
    "Chat Added by Porchlight",
  ]);
  const marked = [...section.querySelectorAll("li svg")].map((mark) =>
    mark.closest("li")?.textContent.trim(),
  );
  expect(marked).toEqual(["Kitchen Uses your list", "Chat Added by Porchlight"]);
  expect(
    within(section).getByText("Porchlight can't tell whether the AI obeyed, or cut part of the prompt off."),
  ).toBeVisible();
  const how = within(section).getByText(/reports this itself/u);
  expect(how).not.toBeVisible();
  await user.click(within(section).getByText("How do we know?"));
  expect(how).toBeVisible();
  expect(how).toHaveTextContent(
    "Each assistant reports this itself, except where Porchlight added the list. With a check mark, the assistant looked into the AI's prompt and found your list there.",
  );
});

test("if Porchlight added the list everywhere, no assistant is said to report it", async () => {
  const { section } = await open(receipt("following", { evidence: "added" }));

  await reports(section);

  expect(section).not.toHaveTextContent(/reports this itself/u);
});

test("that a list was found in the prompt is explained only if one was", async () => {
  const { section } = await open(receipt("following"));

  await reports(section);

  expect(section).toHaveTextContent("Each assistant reports this itself");
  expect(section).not.toHaveTextContent(/found in the/iu);
});

test("without an assistant the page shows an empty state", async () => {
  const { section } = await open();

  await waitFor(() => expect(section).toHaveTextContent("No assistant connected."));
});

test("after a topic is blocked the line shows the older list until the assistant reports the new one", async () => {
  const { backend, section, rules, user } = await open(receipt("following", { evidence: "in_prompt" }));
  expect(await reports(section)).toHaveLength(1);

  rules.receipts.assistants = [receipt("older")];
  await user.type(screen.getByRole("textbox", { name: "A topic of your own" }), "Ghosts{Enter}");
  await waitFor(async () => expect((await reports(section))[0]).toMatch(/Gets the change/u));

  rules.receipts.assistants = [receipt("following", { evidence: "in_prompt" })];
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.sendEvents("receipts");
  await waitFor(() => expect(section).toHaveTextContent("Uses your list"));
});

test("if receipts can't be loaded, the list still shows, and loading can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/child/{childId}/rules/receipts");
  const { user } = renderAt(PAGE, { backend });
  const section = await screen.findByRole("region", { name: "Who has this list?" });

  expect(await within(section).findByRole("alert")).toHaveTextContent("The server can't be reached.");
  expect(screen.getByText("Horror films")).toBeVisible();
  backend.outOfReach.clear();
  await user.click(within(section).getByRole("button", { name: "Try again" }));

  expect(await reports(section)).toHaveLength(6);
});
