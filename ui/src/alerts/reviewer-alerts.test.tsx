import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { alertsIn, phraseAlert, reviewerAlert } from "../test/fake-backend-alerts";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

type Flagged = NonNullable<ReturnType<typeof reviewerAlert>["flagged"]>;

const danger: Flagged = { concern: "danger", severity: "urgent", model: "gpt-4.1-mini", not_worrying: false };

/** Opens the page of Mia's alerts: two about a stranger, and the older one about danger. */
async function open(prepare: (backend: FakeBackend) => void = () => {}) {
  const backend = new FakeBackend();
  const mias = alertsIn(backend.family("parent@example.com"), 1);
  mias.alerts = [reviewerAlert(3, 5), reviewerAlert(2, 6), reviewerAlert(1, 7, { flagged: danger })];
  prepare(backend);
  const { user } = renderAt("/child/1/alerts", { backend });
  const list = await screen.findByRole("list", { name: "Alerts" });
  const item = (index: number) => {
    const found = [...list.children][index];
    if (!(found instanceof HTMLElement)) throw new Error("There is no such alert.");
    return within(found);
  };
  return { backend, mias, user, list, item };
}

const ofConcern = 'Each "a stranger who wants contact or secrets" for Mia';
const muted = () => screen.queryByRole("region", { name: "What you don't worry about" });

test("it has the concern in words, the quote marked between its neighbours, and which model said so", async () => {
  const { list } = await open();

  const [first, , third] = list.children;
  expect(first).toHaveTextContent(
    `An AI reader flagged "a stranger who wants contact or secrets" in Mia's conversation with Kitchen. It can be wrong.`,
  );
  expect(first).toHaveTextContent("The model llama3.1:8b said so.");
  expect(first).not.toHaveTextContent("urgent");
  expect(first).toHaveTextContent(/Mia:Can I tell Grandma\?Kitchen:This stays our secret, okay\?Mia:Okay\./u);
  expect(first?.querySelector("mark")).toHaveTextContent("our secret");
  expect(third).toHaveTextContent("The model gpt-4.1-mini said so, and that it is urgent.");
});

test("one alert is not worrying, and is again", async () => {
  const { user, mias, item } = await open();
  expect(item(0).getByText("New")).toBeVisible();

  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  await user.click(item(0).getByRole("menuitem", { name: "Only this one" }));

  expect(await item(0).findByText("You don't worry about this one.")).toBeVisible();
  expect(item(0).queryByText("New")).toBeNull();
  expect(item(0).getByRole("button", { name: "Undo" })).toHaveFocus();
  expect(mias.notWorryingAlerts).toEqual(new Set([3]));
  expect(mias.notWorrying).toEqual(new Set());
  expect(item(1).getByRole("button", { name: "Not worrying" })).toBeVisible();
  expect(muted()).toBeNull();

  await user.click(item(0).getByRole("button", { name: "Undo" }));
  expect(await item(0).findByRole("button", { name: "Not worrying" })).toHaveFocus();
  expect(mias.notWorryingAlerts).toEqual(new Set());
});

test("a concern is not worrying for this child, with all its alerts, and is again", async () => {
  const { user, mias, item } = await open();

  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  await user.click(item(0).getByRole("menuitem", { name: ofConcern }));

  for (const index of [0, 1])
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are read
    await waitFor(() =>
      expect(
        item(index).getByText('You don\'t worry about "a stranger who wants contact or secrets" for', {
          exact: false,
        }),
      ).toBeVisible(),
    );
  expect(item(2).getByRole("button", { name: "Not worrying" })).toBeVisible();
  expect(mias.notWorrying).toEqual(new Set(["stranger"]));
  expect(mias.notWorryingAlerts).toEqual(new Set());

  await user.click(item(1).getByRole("button", { name: "Undo" }));
  expect(await item(0).findByRole("button", { name: "Not worrying" })).toBeVisible();
  expect(await item(1).findByRole("button", { name: "Not worrying" })).toHaveFocus();
  expect(mias.notWorrying).toEqual(new Set());
});

test("the concerns that are not worrying are listed, each with an undo, also without an alert", async () => {
  const { user, mias } = await open((backend) => {
    const own = alertsIn(backend.family("parent@example.com"), 1);
    own.alerts = [phraseAlert(1, 5)];
    own.notWorrying = new Set(["self_harm", "eating_and_body"]);
  });

  await waitFor(() => expect(muted()).toBeVisible());
  expect(screen.getByText(/This is yours alone: other guardians get their alerts\.$/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo: self-harm" }));
  await waitFor(() => expect(mias.notWorrying).toEqual(new Set(["eating_and_body"])));
  const next = screen.getByRole("button", { name: "Undo: eating and body" });
  await waitFor(() => expect(next).toHaveFocus());
  // Only once the first one is saved.
  await waitFor(() => expect(next).not.toHaveAttribute("aria-disabled", "true"));

  await user.click(next);
  await waitFor(() => expect(muted()).toBeNull());
  expect(screen.getByRole("heading", { name: "Phrases you watch for" })).toHaveFocus();
});

test("a concern is added to what another device has saved meanwhile", async () => {
  const { user, mias, item } = await open();
  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  mias.notWorrying = new Set(["assistant"]);

  await user.click(item(0).getByRole("menuitem", { name: ofConcern }));

  await waitFor(() => expect(mias.notWorrying).toEqual(new Set(["assistant", "stranger"])));
});

test("what is not worrying counts neither in the bell nor on Summary", async () => {
  const backend = new FakeBackend();
  const mias = alertsIn(backend.family("parent@example.com"), 1);
  mias.alerts = [reviewerAlert(2, 5), reviewerAlert(1, 6, { flagged: danger })];
  mias.notWorrying = new Set(["stranger"]);
  renderAt("/child/1/summary", { backend });

  expect(await screen.findByRole("button", { name: "Alerts: 1 new" })).toBeVisible();
  const card = await screen.findByRole("region", { name: "What needs you" });
  expect(await within(card).findByText(/dangerous acts and substances/u)).toBeVisible();
  expect(within(card).queryByText(/a stranger/u)).toBeNull();
  expect(within(card).queryByText(/^and \d+ more/u)).toBeNull();
});

test("what could not be saved says so", async () => {
  expectLogged(/RequestFailed|Failed to fetch/u);
  const { user, item } = await open((backend) => {
    backend.outOfReach.add("/child/{childId}/alerts/{alertId}/not_worrying");
  });

  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  await user.click(item(0).getByRole("menuitem", { name: "Only this one" }));

  expect(await item(0).findByRole("alert")).toBeVisible();
  expect(item(0).getByRole("button", { name: "Not worrying" })).toBeVisible();
});

test("'What can I do now?' has steps for the concern, and the helpline to call", async () => {
  const { user, item, backend } = await open((fake) => {
    fake.helpline = "Childline 0800 1111";
  });
  expect(backend.calls.get("/child/{childId}/for_child")).toBeUndefined();

  await user.click(item(2).getByText("What can I do now?"));

  expect(await item(2).findByText(/^If Mia has swallowed or inhaled something/u)).toBeVisible();
  expect(await item(2).findByRole("link", { name: "Childline 0800 1111" })).toHaveAttribute(
    "href",
    "tel:08001111",
  );
  expect(item(2).getByText(/Porchlight is not an emergency service\.$/u)).toBeVisible();
  expect(item(0).queryByText(/Porchlight is not an emergency service/u)).toBeNull();
});

test("without a helpline the help names others to call", async () => {
  const { user, item } = await open();

  await user.click(item(0).getByText("What can I do now?"));

  expect(
    await item(0).findByText(/^Your doctor, the school or a helpline for families can help/u),
  ).toBeVisible();
  expect(item(0).queryByRole("link", { name: /\d/u })).toBeNull();
});
