import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";
import { renderAt } from "../test/render-at";

const AT = "2026-11-22T17:00:00Z";

async function notice() {
  return within(await screen.findByRole("region", { name: "Waiting for an answer" }));
}

/** Ben has asked to erase Mia, and has invited Cleo. */
function atOdds(): FakeBackend {
  const backend = new FakeBackend();
  const by = { is_you: false, name: "Ben" };
  const answers = { shown: false, confirmed: false };
  backend.household.others = [by];
  backend.household.asked = [
    {
      child_id: 1,
      kind: "deletion",
      edition: "edn_a",
      by,
      requested_at: AT,
      conversations: 30,
      from: "2026-09-01",
      to: "2026-11-20",
      names: ["Mia", "Leo"],
      answers,
    },
  ];
  backend.household.invitations = [
    {
      invitation_id: "inv_1",
      edition: "edn_b",
      by,
      children: [1],
      email: "cleo@example.org",
      created_at: AT,
      accepted: true,
      accepted_by: "Cleo",
      accepted_address: { email: "cleo@example.org", verified: false },
      answers,
    },
  ];
  return backend;
}

test("on another child's page a pending deletion takes one line, with a link to the whole request", async () => {
  const { user } = renderAt("/child/2/context", { backend: atOdds() });
  const waiting = await notice();
  expect(waiting.getByText("Mia's profile")).toBeVisible();
  expect(waiting.getByText("may be deleted")).toBeVisible();
  expect(waiting.queryByText(/^Ben asked to delete/u)).toBeNull();
  expect(waiting.queryByRole("button", { name: "Agree", description: /^Ben asked to delete/u })).toBeNull();

  await user.click(waiting.getByRole("link", { name: "Details" }));

  expect(await screen.findByText(/^Ben asked to delete Mia's profile/u)).toBeVisible();
});

test("an AI reader that waits for the guardian is one line with a link to its page, which has no such line", async () => {
  const backend = new FakeBackend();
  backend.household.readers = [{ child_id: 2, by: { is_you: false, name: "Ben" }, since: AT }];
  const { user } = renderAt("/child/1/context", { backend });
  const waiting = await notice();
  expect(
    waiting.getByText(/^Ben wants an AI reader to read .+'s conversations\. Nothing is sent yet\.$/u),
  ).toBeVisible();

  await user.click(waiting.getByRole("link", { name: "Where every word goes" }));

  expect(await screen.findByRole("heading", { level: 1, name: "AI reader" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Waiting for an answer" })).toBeNull();
  expect(backend.household.shown).toEqual([]);
});

test("pending requests are shown on every page, and reported to the server once seen", async () => {
  const backend = atOdds();
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const { user } = renderAt("/child/1/context", { backend, strict: true });
  const waiting = await notice();
  expect(waiting.getByText(/^Ben asked to delete Mia's profile and conversations\. It waits/u)).toBeVisible();

  await user.keyboard("{Shift}");
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(backend.household.shown).toEqual([]);
  await user.keyboard("{Shift}{Shift}");

  expect(
    await waiting.findByText(
      /^Ben asked to delete Mia's profile and conversations\. It takes effect on Nov (?:29|30)/u,
    ),
  ).toBeVisible();
  expect(
    waiting.getByText(
      /^Ben invited cleo@example\.org to see the data of Mia\. Cleo \(cleo@example\.org, not verified\) has accepted\. It takes effect on Nov (?:29|30)/u,
    ),
  ).toBeVisible();
  expect(
    waiting.getByText(
      "That is 30 conversations, Sep 1–Nov 20. In the last 30 days this child was called “Mia”, “Leo”.",
    ),
  ).toBeVisible();
  expect(backend.household.shown).toEqual([
    {
      requests: [{ child_id: 1, kind: "deletion", edition: "edn_a" }],
      invitations: [{ invitation_id: "inv_1", edition: "edn_b" }],
    },
  ]);
  visibility.mockRestore();
});

test("an invitation by a shown link needs no confirmation before it is accepted", async () => {
  const backend = atOdds();
  const by = { is_you: false, name: "Ben" };
  const answers = { shown: false, confirmed: false };
  backend.household.asked = [];
  backend.household.invitations = [
    { invitation_id: "inv_1", edition: "edn_b", by, children: [1], created_at: AT, accepted: false, answers },
  ];
  const { main: people } = await openSettings("settings/people", { backend });
  expect(
    await people.findByText("Ben invited somebody to see the data of Mia. Nobody has accepted yet."),
  ).toBeVisible();
  expect(people.getByRole("button", { name: "Stop it" })).toBeVisible();
  expect(people.queryByRole("button", { name: "Agree" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Waiting for an answer" })).toBeNull();
});

test("another guardian's erasure and invitation are stopped without step-up", async () => {
  const backend = atOdds();
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/child/1/context", { backend });
  const waiting = await notice();
  const [erasure, invitation] = waiting.getAllByRole("button", { name: "Stop it" });
  if (erasure === undefined || invitation === undefined) throw new Error("two can be stopped");

  await user.click(invitation);
  await waitFor(() => expect(backend.household.invitations).toEqual([]));
  await user.click(erasure);

  await waitFor(() => expect(screen.queryByRole("region", { name: "Waiting for an answer" })).toBeNull());
});

test("agreeing to erase a child requires a confirmation and step-up", async () => {
  expectLogged(/status 403/u);
  const backend = atOdds();
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/child/1/context", { backend });
  const waiting = await notice();

  const agree = { name: "Agree", description: /^Ben asked to delete/u };
  await user.click(waiting.getByRole("button", agree));
  const sure = within(screen.getByRole("dialog", { name: "Delete Mia's profile and conversations" }));
  expect(sure.getByText(/That is 30 conversations, Sep 1–Nov 20/u)).toBeVisible();
  await user.click(sure.getByRole("button", { name: "Delete Mia's profile and conversations" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Send the code" }));
  await user.type(
    await dialog.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  await waitFor(() => expect(backend.household.asked[0]?.answers.confirmed).toBe(true));
  await waitFor(() => expect(waiting.queryByRole("button", agree)).toBeNull());
});

test("an invitation that was accepted by somebody else meanwhile is read again before it is confirmed", async () => {
  expectLogged(/status 412/u);
  const backend = atOdds();
  backend.household.asked = [];
  const { user } = renderAt("/child/1/context", { backend });
  const waiting = await notice();
  const button = await waiting.findByRole("button", { name: "Agree" });
  backend.household.invitations = backend.household.invitations.map((each) => ({
    ...each,
    edition: "edn_c",
    accepted_by: "Eve",
  }));

  await user.click(button);

  expect(await waiting.findByText("This request has changed. Please read it again.")).toBeVisible();
  expect(waiting.getByText(/ Eve \(.+\) has accepted\./u)).toBeVisible();
  expect(waiting.queryByRole("button", { name: "Agree" })).toBeNull();
  const read = waiting.getByRole("button", { name: "I've read it" });
  // It does nothing while the household is being loaded again.
  await waitFor(() => expect(read).not.toHaveAttribute("aria-disabled", "true"));
  await user.click(read);
  await user.click(await waiting.findByRole("button", { name: "Agree" }));
  await waitFor(() => expect(backend.household.invitations).toEqual([]));
});

test("erasing a child requires typing its name, is pending, and can be stopped", async () => {
  expectLogged(/status 422/u);
  const backend = new FakeBackend();
  const { user, main: people } = await openSettings("settings/profile", { backend });
  expect(people.queryByRole("button", { name: "Stop seeing Mia's data" })).toBeNull();
  await user.click(people.getByRole("button", { name: "Delete Mia's profile and conversations" }));
  expect(
    people.getByText(/are permanently deleted: in seven days\. Until then nothing changes, and you can/u),
  ).toBeVisible();
  await user.keyboard("Noah{Enter}");
  expect(await people.findByRole("alert")).toHaveTextContent("The child has another name");
  await user.clear(people.getByRole("textbox"));
  await user.keyboard("Mia{Enter}");

  const waiting = await notice();
  expect(waiting.getByText(/^You asked to delete Mia's profile and conversations\./u)).toBeVisible();
  expect(waiting.queryByRole("button", { name: /^Agree/u })).toBeNull();
  await user.click(waiting.getByRole("button", { name: "Stop it" }));
  await waitFor(() => expect(backend.household.asked).toEqual([]));
});

test("a guardian leaves a child that has another guardian", async () => {
  const backend = new FakeBackend();
  backend.household.others = [{ is_you: false, name: "Ben" }];
  const { user, path, main: people } = await openSettings("settings/profile", { backend });
  await user.click(people.getByRole("button", { name: "Stop seeing Mia's data" }));
  const sure = within(screen.getByRole("dialog", { name: "Stop seeing Mia's data" }));
  await user.click(sure.getByRole("button", { name: "Stop seeing Mia's data" }));

  await waitFor(() => expect(path()).toBe("/child/2/summary"));
  expect(screen.queryByRole("option", { name: "Mia" })).toBeNull();
});

test("another guardian is invited by an email, for the children that were chosen", async () => {
  const backend = new FakeBackend();
  const { user, main: people } = await openSettings("settings/people", { backend });
  await user.click(people.getByRole("button", { name: "Invite another guardian" }));
  await user.click(await people.findByRole("checkbox", { name: "Noah" }));
  await user.type(
    await people.findByRole("textbox", { name: "Their email address" }),
    "cleo@example.org{Enter}",
  );

  expect(await people.findByText(/The invitation is on its way to cleo@example\.org/u)).toBeVisible();
  expect(backend.household.invitations[0]?.children).toEqual([1, 2]);
  await user.click(people.getByRole("button", { name: "Done" }));
  const own = await people.findByText(/^You invited cleo@example\.org .* Nobody has accepted yet\./u);
  expect(own).toBeVisible();
  expect(screen.queryByRole("region", { name: "Waiting for an answer" })).toBeNull();
  await user.click(people.getByRole("button", { name: "Stop it" }));
  await waitFor(() => expect(backend.household.invitations).toEqual([]));
});

test("without emails the QR code is shown, once", async () => {
  const backend = new FakeBackend();
  backend.sendsEmail = false;
  const { user, main: people } = await openSettings("settings/people", { backend });
  await user.click(people.getByRole("button", { name: "Invite another guardian" }));
  expect(people.queryByRole("textbox")).toBeNull();
  await user.click(people.getByRole("button", { name: "Show a QR code" }));

  expect(await people.findByRole("img", { name: "QR code" })).toBeVisible();
  expect(people.getByRole("heading", { name: "Scan this with the other device" })).toHaveFocus();
  expect(people.getByText(/\/invitation#token=ivt_/u)).toBeVisible();
  await user.click(people.getByRole("button", { name: "Done" }));
  expect(people.queryByText(/#token=/u)).toBeNull();
});

test("a key that a former guardian has seen is marked until the guardian keeps it", async () => {
  const backend = new FakeBackend();
  backend.household.assistants = backend.household.assistants.map((each) => ({ ...each, key_exposed: true }));
  const { user, main: people } = await openSettings("settings/assistants", { backend });
  expect(people.getAllByText(/no longer a guardian of Mia\.$/u)).toHaveLength(2);
  expect(people.getByRole("button", { name: "Remove Mia from this assistant" })).toBeVisible();

  await user.click(people.getByRole("button", { name: "Keep this key" }));

  await waitFor(() => expect(people.getAllByText(/no longer a guardian of Mia\.$/u)).toHaveLength(1));
});
