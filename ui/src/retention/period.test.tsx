import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PARENT = "parent@example.com";
const SETTINGS = "/child/1/settings/profile";
const AT = "2026-11-22T17:00:00Z";

async function section() {
  const region = await screen.findByRole("region", { name: "How long conversations are kept" });
  await within(region).findByRole("radio", { name: "For ever" });
  return within(region);
}

/** A year is kept, and some conversations are older than the shorter periods. */
function keepingAYear(): FakeBackend {
  const backend = new FakeBackend();
  backend.family(PARENT).periods.set(1, {
    days: 365,
    within_a_week: 12,
    would_delete: { days_30: 1, days_90: 0, days_365: 0 },
  });
  return backend;
}

test("a longer time is chosen at once", async () => {
  const backend = keepingAYear();
  const { user } = renderAt(SETTINGS, { backend });
  const kept = await section();
  expect(kept.getByRole("radio", { name: "1 year" })).toBeChecked();
  expect(kept.getByText("12 conversations will be deleted in the next week.")).toBeVisible();

  await user.click(kept.getByRole("radio", { name: "For ever" }));

  await waitFor(() => expect(backend.family(PARENT).periods.get(1)?.days).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(kept.getByRole("radio", { name: "For ever" })).toBeChecked());
});

test("a shorter time says how many conversations go, and requires a confirmation and a step-up", async () => {
  expectLogged(/status 403/u);
  const backend = keepingAYear();
  backend.stepUp.steppedUp = false;
  const { user } = renderAt(SETTINGS, { backend });
  const kept = await section();

  await user.click(kept.getByRole("radio", { name: "90 days" }));
  const none = within(await screen.findByRole("dialog", { name: "Keep them for 90 days" }));
  expect(none.getByText(/^0 conversations would be deleted now\./u)).toBeVisible();
  await user.click(none.getByRole("button", { name: "Cancel" }));
  expect(kept.getByRole("radio", { name: "1 year" })).toBeChecked();

  await user.click(kept.getByRole("radio", { name: "30 days" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Keep them for 30 days" }));
  expect(dialog.getByText(/^1 conversation would be deleted now\./u)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Keep them for 30 days" }));
  const stepUp = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await stepUp.findByRole("button", { name: "Send the code" }));
  await user.type(
    await stepUp.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  await waitFor(() => expect(backend.family(PARENT).periods.get(1)?.days).toBe(30));
  await waitFor(() => expect(kept.getByRole("radio", { name: "30 days" })).toBeChecked());
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a shorter time for a shared child waits for the other guardian, and can be stopped", async () => {
  const backend = keepingAYear();
  backend.household.others = [{ is_you: false, name: "Ben" }];
  backend.stepUp.steppedUp = true;
  const { user } = renderAt(SETTINGS, { backend });
  const kept = await section();

  await user.click(kept.getByRole("radio", { name: "90 days" }));
  await user.click(await screen.findByRole("button", { name: "Keep them for 90 days" }));

  const asked = /^You asked to keep Mia's conversations for 90 days only\. It waits until/u;
  expect(await kept.findByText(asked)).toBeVisible();
  expect(kept.getByRole("radio", { name: "1 year" })).toBeChecked();
  await user.click(kept.getByRole("button", { name: "Stop it" }));
  await waitFor(() => expect(backend.household.asked).toEqual([]));
  await waitFor(() => expect(kept.queryByText(asked)).toBeNull());
});

/** Ben asks to keep Mia's conversations for a shorter time, in place of what he asked for before. */
function askedByBen(backend: FakeBackend, days: 30 | 365) {
  backend.household.ask({
    child_id: 1,
    kind: "retention",
    edition: `edn_${days}`,
    by: { is_you: false, name: "Ben" },
    requested_at: AT,
    days,
    conversations: 7,
    answers: { shown: false, confirmed: false },
  });
}

test("the other guardian's request is shown on every page, and can be agreed to", async () => {
  const backend = keepingAYear();
  backend.stepUp.steppedUp = true;
  askedByBen(backend, 30);
  const { user } = renderAt("/child/1/context", { backend });
  const notice = within(await screen.findByRole("region", { name: "Waiting for an answer" }));
  expect(notice.getByText(/^Ben asked to keep Mia's conversations for 30 days only\./u)).toBeVisible();
  expect(notice.getByText("7 conversations would be deleted now.")).toBeVisible();

  await user.click(await notice.findByRole("button", { name: "Agree" }));

  await waitFor(() => expect(backend.household.asked[0]?.answers.confirmed).toBe(true));
  await waitFor(() =>
    expect(backend.household.shown).toEqual([
      { requests: [{ child_id: 1, kind: "retention", edition: "edn_30" }], invitations: [] },
    ]),
  );
});

test("a click on 365 days doesn't agree to 30, and the page shows what is asked now", async () => {
  expectLogged(/status 412/u);
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = true;
  askedByBen(backend, 365);
  const { user } = renderAt("/child/1/context", { backend });
  const notice = within(await screen.findByRole("region", { name: "Waiting for an answer" }));
  const agree = await notice.findByRole("button", { name: "Agree" });
  askedByBen(backend, 30);

  await user.click(agree);

  expect(await notice.findByText("This request has changed. Please read it again.")).toBeVisible();
  expect(notice.getByText(/^Ben asked to keep Mia's conversations for 30 days only\./u)).toBeVisible();
  expect(backend.household.asked[0]?.answers.confirmed).toBe(false);
  expect(notice.queryByRole("button", { name: /^Agree/u })).toBeNull();
  const read = notice.getByRole("button", { name: "I've read it" });
  // It does nothing while the household is being loaded again.
  await waitFor(() => expect(read).not.toHaveAttribute("aria-disabled", "true"));
  await user.click(read);
  await user.click(await notice.findByRole("button", { name: "Agree" }));
  await waitFor(() => expect(backend.household.asked[0]?.answers.confirmed).toBe(true));
});

test("a conversation is kept, and kept no longer", async () => {
  const backend = new FakeBackend();
  const family = backend.family(PARENT);
  family.sessions = [session(2, 1, 60_000, [["child", "Why does lava glow?"]], { topic: "Volcanoes" })];
  const { user } = renderAt("/child/1/transcripts?session=2", { backend });
  await screen.findByText("Why does lava glow?");
  const choose = async (item: string) => {
    await user.click(screen.getByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: item }));
  };
  expect(screen.queryByText("Kept by you")).toBeNull();

  await choose("Keep");
  expect(await screen.findByText("Kept by you")).toBeVisible();
  expect(family.kept).toEqual(new Set([2]));
  await choose("Don't keep any longer");

  await waitFor(() => expect(screen.queryByText("Kept by you")).toBeNull());
  expect(family.kept).toEqual(new Set());
});

test("a conversation that was deleted for its age says so", async () => {
  const backend = new FakeBackend();
  const family = backend.family(PARENT);
  const [lava] = [session(2, 1, 60_000, [["child", "Why?"]], { topic: "Volcanoes" })];
  family.deleted = [{ session: lava, deleted_at: new Date().toISOString(), older_than_days: 90 }];
  renderAt("/child/1/transcripts/deleted", { backend });

  expect(await screen.findByText(/^Older than you keep conversations\. You can/u)).toBeVisible();
});

test("a new child's conversations are kept for a year unless another time is chosen", async () => {
  const backend = new FakeBackend();
  const { user } = renderAt("/child/1/settings", { backend });
  await user.click(await screen.findByRole("button", { name: "Add a child" }));

  expect(screen.getByRole("combobox", { name: "How long conversations are kept" })).toHaveValue("365");
  await user.keyboard("Noah{Enter}");

  expect(await screen.findByText(/^Added Noah\./u)).toBeVisible();
  const { children, periods } = backend.family(PARENT);
  expect(periods.get(children.at(-1)?.child_id ?? 0)?.days).toBe(365);
});
