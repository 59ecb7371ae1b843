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
  return { name: "Kitchen", kind, read_back: false, ...more };
}

test.each<[AssistantReceipt, string]>([
  [receipt("following", { since: today }), "reports that it follows this list since 6:12 PM"],
  [receipt("following", { since: earlier }), "reports that it follows this list since Nov 19, 5:40 PM"],
  [
    receipt("following", { since: lastYear }),
    "reports that it follows this list since Nov 19, 2025, 5:40 PM",
  ],
  [
    receipt("older", { list_of: earlier, heard_at: today }),
    "still followed the list of Nov 19 when it was last heard, at 6:12 PM",
  ],
  [
    receipt("older", { list_of: today, heard_at: today }),
    "still followed the list of 6:12 PM when it was last heard, at 6:12 PM",
  ],
  [
    receipt("older", { heard_at: earlier }),
    "still followed an earlier list when it was last heard, on Nov 19, 5:40 PM",
  ],
  [receipt("refused", { reason: "too long for its model" }), "refused it: too long for its model"],
  [receipt("refused", { reason: " " }), "refused it"],
  [receipt("asked", { since: today }), "has asked for the list and not said that it uses it"],
  [receipt("silent"), "has never said"],
])("of %j is said: %s", (assistant, words) => {
  expect(reportOf(assistant, now).replaceAll("\u202F", " ")).toBe(words);
});

async function open(...assistants: AssistantReceipt[]) {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  const rules = rulesOf({ receipts: { number: 2, topics_number: 1, assistants } });
  backend.family("parent@example.com").rules.set(1, rules);
  const rendered = renderAt(PAGE, { backend });
  const section = await screen.findByRole("region", { name: "Who follows this list" });
  return { ...rendered, rules, section };
}

async function reports(section: HTMLElement): Promise<string[]> {
  const items = await within(section).findAllByRole("listitem");
  return items.map(({ textContent }) => textContent);
}

test("each assistant has a line, and only lists that were read back from the prompt have the check mark", async () => {
  const { section } = await open(
    receipt("following", { read_back: true }),
    receipt("following", { name: "Car" }),
    receipt("older", { name: "Robot", read_back: true }),
    receipt("silent", { name: "Tablet" }),
  );

  expect(await reports(section)).toEqual([
    "Kitchen reports that it follows this listread back from the prompt",
    "Car reports that it follows this list",
    "Robot still followed an earlier list when it was last heard",
    "Tablet has never said",
  ]);
  expect(section.querySelectorAll("li svg")).toHaveLength(1);
  expect(section).toHaveTextContent("This is what each assistant of Mia says itself.");
});

test("'read back' is explained only if a list was read back", async () => {
  const { section } = await open(receipt("following"));

  await reports(section);

  expect(section).not.toHaveTextContent(/read back/iu);
});

test("without an assistant the page shows an empty state", async () => {
  const { section } = await open();

  await waitFor(() =>
    expect(section).toHaveTextContent("Mia has no assistant yet, so nobody follows this list."),
  );
});

test("after a topic is blocked the line shows the older list until the assistant reports the new one", async () => {
  const { backend, section, rules, user } = await open(receipt("following", { read_back: true }));
  expect(await reports(section)).toHaveLength(1);

  rules.receipts.assistants = [receipt("older")];
  await user.type(screen.getByRole("textbox", { name: "A topic of your own" }), "Ghosts{Enter}");
  await waitFor(async () => expect((await reports(section))[0]).toMatch(/still followed an earlier list/u));

  rules.receipts.assistants = [receipt("following", { read_back: true })];
  await waitFor(() => expect(backend.openStreams).toBe(1));
  backend.sendEvents("receipts");
  await waitFor(async () => expect((await reports(section))[0]).toMatch(/read back from the prompt$/u));
});

test("if receipts can't be loaded, the list still shows, and loading can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/child/{childId}/rules/receipts");
  const { user } = renderAt(PAGE, { backend });
  const section = await screen.findByRole("region", { name: "Who follows this list" });

  expect(await within(section).findByRole("alert")).toHaveTextContent("The server can't be reached.");
  expect(screen.getByText("Horror films")).toBeVisible();
  backend.outOfReach.clear();
  await user.click(within(section).getByRole("button", { name: "Try again" }));

  expect(await reports(section)).toHaveLength(6);
});
