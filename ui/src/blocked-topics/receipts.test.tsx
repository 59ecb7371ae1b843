import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type AssistantReceipt, reportOf } from "./receipts";
import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/topic-blocklist";
const now = new Date(2026, 10, 21, 20);
const today = new Date(2026, 10, 21, 18, 12).toISOString();
const earlier = new Date(2026, 10, 19, 17, 40).toISOString();
const lastYear = new Date(2025, 10, 19, 17, 40).toISOString();

function receipt(kind: AssistantReceipt["kind"], more: Partial<AssistantReceipt> = {}): AssistantReceipt {
  return { name: "Kitchen", kind, ...more };
}

test.each<[AssistantReceipt, string]>([
  [receipt("following", { since: today }), "has used this list since 6:12 PM"],
  [receipt("following", { since: earlier }), "has used this list since Nov 19, 5:40 PM"],
  [
    receipt("following", { evidence: "added", since: today }),
    "has had this list in its prompt since 6:12 PM",
  ],
  [receipt("following", { since: lastYear }), "has used this list since Nov 19, 2025, 5:40 PM"],
  [receipt("older", { list_of: earlier, heard_at: today }), "last used the list of Nov 19, at 6:12 PM"],
  [receipt("older", { list_of: today, heard_at: today }), "last used the list of 6:12 PM, at 6:12 PM"],
  [receipt("older", { heard_at: earlier }), "last used an earlier list, on Nov 19, 5:40 PM"],
  [
    receipt("refused", { reason: "too long for its model" }),
    "doesn't follow this list: too long for its model",
  ],
  [receipt("refused", { reason: " " }), "doesn't follow this list"],
  [receipt("asked", { since: today }), "asked for the list, never confirmed using it"],
  [receipt("silent"), "has never connected"],
])("of %j is said: %s", (assistant, words) => {
  expect(reportOf(assistant, now).replaceAll("\u202F", " ")).toBe(words);
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

test("assistants are grouped, those that need attention first, and only lists found in the prompt have the check mark", async () => {
  const { section } = await open(
    receipt("following", { evidence: "in_prompt" }),
    receipt("following", { name: "Car" }),
    receipt("older", { name: "Robot" }),
    receipt("silent", { name: "Tablet" }),
    receipt("refused", { name: "Toy" }),
  );

  expect(await reports(section)).toEqual([
    "Toy doesn't follow this list",
    "Tablet has never connected",
    "Robot last used an earlier list",
    "Car has used this list",
    "Kitchen has used this list",
  ]);
  const headings = within(section).getAllByRole("heading", { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "Needs attention",
    "Gets the change when it next connects",
    "Says it follows this list",
    "List found in the AI's prompt",
  ]);
  expect(section.querySelectorAll("svg")).toHaveLength(1);
  expect(within(section).getByRole("region", { name: "List found in the AI's prompt" })).toHaveTextContent(
    "Kitchen",
  );
  expect(section).toHaveTextContent("Each assistant of Mia reports this itself.");
});

test("lists that Porchlight added stand above those found in the prompt, with what that proves", async () => {
  const { section } = await open(
    receipt("following", { evidence: "in_prompt" }),
    receipt("following", { name: "Chat", evidence: "added" }),
  );

  expect(await reports(section)).toEqual([
    "Chat has had this list in its prompt",
    "Kitchen has used this list",
  ]);
  const headings = within(section).getAllByRole("heading", { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "Added by Porchlight",
    "List found in the AI's prompt",
  ]);
  expect(section.querySelectorAll("svg")).toHaveLength(2);
  expect(section).toHaveTextContent(
    "Each assistant of Mia reports this itself, except where Porchlight added the list. Added by Porchlight: this server put the list into the prompt. It can't tell whether the AI obeyed, or cut part of the prompt off. Found in the prompt:",
  );
});

test("if Porchlight added the list everywhere, no assistant is said to report it", async () => {
  const { section } = await open(receipt("following", { evidence: "added" }));

  await reports(section);

  expect(section).not.toHaveTextContent(/reports this itself|Found in the prompt/u);
});

test("that a list was found in the prompt is explained only if one was", async () => {
  const { section } = await open(receipt("following"));

  await reports(section);

  expect(section).not.toHaveTextContent(/found in the/iu);
});

test("without an assistant the page shows an empty state", async () => {
  const { section } = await open();

  await waitFor(() =>
    expect(section).toHaveTextContent("Mia has no assistant yet, so nobody has this list."),
  );
});

test("after a topic is blocked the line shows the older list until the assistant reports the new one", async () => {
  const { backend, section, rules, user } = await open(receipt("following", { evidence: "in_prompt" }));
  expect(await reports(section)).toHaveLength(1);

  rules.receipts.assistants = [receipt("older")];
  await user.type(screen.getByRole("textbox", { name: "A topic of your own" }), "Ghosts{Enter}");
  await waitFor(async () => expect((await reports(section))[0]).toMatch(/last used an earlier list/u));

  rules.receipts.assistants = [receipt("following", { evidence: "in_prompt" })];
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.sendEvents("receipts");
  await waitFor(() => expect(section).toHaveTextContent("List found in the AI's prompt"));
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
