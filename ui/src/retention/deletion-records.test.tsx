import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";

import type { components } from "../api/generated/schema";
import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { renderAt } from "../test/render-at";

type Deletion = components["schemas"]["Deletion"];

const PARENT = "parent@example.com";
const PAGE = "/child/1/transcripts/deleted";

const checkedDeletion: Deletion = {
  sessions: 3,
  messages: 86,
  from: "2026-11-01",
  to: "2026-11-09",
  reason: "guardian",
  by: { is_you: true, name: "Kim" },
  requested_at: new Date(2026, 10, 19, 12).toISOString(),
  deleted_on: "2026-11-26",
  gone_on: "2026-11-26",
  check: { outcome: "not_found", checked_on: "2026-11-26" },
  backups: { gone_on: "2026-12-10" },
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-27T12:00:00Z"), toFake: ["Date"] });
  return () => vi.useRealTimers();
});

function openWith(...deletions: Deletion[]) {
  const backend = new FakeBackend();
  const family = backend.family(PARENT);
  family.deletions = deletions;
  return { ...renderAt(PAGE, { backend }), family };
}

const records = async () => {
  const section = await screen.findByRole("region", { name: "Deleted permanently" });
  return within(section).getAllByRole("listitem");
};

test("a record says what was deleted, who asked for it, what was checked, and until when backups hold it", async () => {
  openWith(checkedDeletion);

  const [record] = await records();
  const sentences = [
    "Deleted on Nov 26: 3 conversations, 86 messages, Nov 1–9. Checked: no longer in any of Porchlight's data files.",
    "Backups made by this server may hold them until December 10.",
    "Asked for by you, on Nov 19, 12:00 PM.",
  ];
  expect(record).toHaveTextContent(sentences.join(""));
});

test.each<[string, Partial<Deletion>]>([
  [
    "Not gone yet: part was still in a file. Porchlight will try again tonight.",
    { check: { outcome: "found", checked_on: "2026-11-26" } },
  ],
  [
    "Porchlight hasn't checked its data files yet.",
    { check: { outcome: "not_checked", checked_on: "2026-11-26" } },
  ],
  ["Asked for by Robin, on Nov 19, 12:00 PM.", { by: { is_you: false, name: "Robin" } }],
  ["Asked for by another guardian, on Nov 19, 12:00 PM.", { by: { is_you: false } }],
  ["Older than you keep conversations.", { reason: "retention" }],
  ["Asked for by the person who set up this server on Nov 19.", { reason: "administrator" }],
  ["Deleted on Nov 26: 1 conversation, 1 message, Nov 9.", { sessions: 1, messages: 1, from: "2026-11-09" }],
])("a record says: %s", async (sentence, differing) => {
  openWith({ ...checkedDeletion, ...differing });

  const [record] = await records();
  expect(record).toHaveTextContent(sentence);
});

test("of what is unknown or not there, a record says nothing", async () => {
  const { sessions, messages, reason, requested_at, deleted_on } = checkedDeletion;
  openWith({ sessions, messages, reason, requested_at, deleted_on });

  const [record] = await records();
  expect(record).toHaveTextContent(
    "Deleted on Nov 26: 3 conversations, 86 messages. Porchlight hasn't checked its data files yet.Asked for by a former guardian, on Nov 19, 12:00 PM.",
  );
});

test("without anything deleted permanently there is no such section, and with the first it appears", async () => {
  const { user, family } = openWith();
  family.deleted = [{ session: session(2, 1, 0, []), deleted_at: "2026-11-26T12:00:00Z" }];
  await user.click(await screen.findByRole("button", { name: /^Delete permanently/u }));
  expect(screen.queryByRole("region", { name: "Deleted permanently" })).toBeNull();
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Delete permanently" }));

  expect(await records()).toHaveLength(1);
});
