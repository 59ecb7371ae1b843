import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { alertsIn, phraseAlert, reviewerAlert } from "../test/fake-backend-alerts";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

type Flagged = NonNullable<ReturnType<typeof reviewerAlert>["flagged"]>;

const danger: Flagged = { concern: "danger", severity: "urgent", model: "gpt-4.1-mini", not_worrying: false };

const eating: Flagged = { ...danger, concern: "eating_and_body", severity: "look" };

/** Opens the page of Mia's alerts: an urgent one about danger, which is the oldest, then two about eating. */
async function open(prepare: (backend: FakeBackend) => void = () => {}) {
  const backend = new FakeBackend();
  const mias = alertsIn(backend.family("parent@example.com"), 1);
  mias.alerts = [
    reviewerAlert(3, 5, { flagged: eating }),
    reviewerAlert(2, 6, { flagged: eating }),
    reviewerAlert(1, 7, { flagged: danger }),
  ];
  prepare(backend);
  const { user } = renderAt("/child/1/alerts", { backend });
  await screen.findAllByRole("heading", { level: 2 });
  /** By how new it is. */
  const element = (index: number) => {
    const found = document.querySelector<HTMLElement>(`[data-alert="${mias.alerts[index]?.alert_id}"]`);
    if (found === null) throw new Error("There is no such alert.");
    return found;
  };
  const item = (index: number) => within(element(index));
  return { backend, mias, user, element, item };
}

const ofConcern = 'All "eating and body" alerts for Mia';
const muted = () => screen.queryByRole("region", { name: "Not worrying" });

test("it has the concern in words, the quote marked between its neighbours, and which model said so", async () => {
  const { element } = await open();

  const first = element(0);
  expect(first).toHaveTextContent(
    /An AI reader flagged "eating and body" in Mia's conversation with Kitchen, at .+\. It can be wrong\./u,
  );
  expect(first).toHaveTextContent("The model gpt-4.1-mini said so.");
  expect(first).not.toHaveTextContent(/urgent/iu);
  expect(first).toHaveTextContent(/Mia:Can I tell Grandma\?Kitchen:This stays our secret, okay\?Mia:Okay\./u);
  expect(first.querySelector("mark")).toHaveTextContent("our secret");
});

test("what is urgent stands above all others with its word, and stays there when it is not worrying", async () => {
  const { user, element, item } = await open();
  const urgent = within(screen.getByRole("region", { name: "Please look now" }));
  expect(urgent.getAllByRole("listitem")).toEqual([element(2)]);
  expect(urgent.getByText("Urgent")).toBeVisible();
  expect(urgent.getByText(/^(?:Today|Yesterday)$/u)).toBeVisible();

  await user.click(item(2).getByRole("button", { name: "Not worrying" }));
  await user.click(item(2).getByRole("menuitem", { name: "Only this one" }));

  expect(await urgent.findByText("Not worrying: Only this one")).toBeVisible();
  expect(urgent.queryByText("Urgent")).toBeNull();
});

test.each(["self_harm", "hurt", "hurt_at_home", "sexual_content", "stranger"] as const)(
  "a single alert about %s can be found not worrying, not all of them",
  async (concern) => {
    const { user, mias, item } = await open((backend) => {
      const own = alertsIn(backend.family("parent@example.com"), 1);
      own.alerts = [reviewerAlert(1, 5, { flagged: { ...eating, concern } })];
    });

    await user.click(item(0).getByRole("button", { name: "Not worrying" }));

    expect(await item(0).findByText("Not worrying: Only this one")).toBeVisible();
    expect(mias.notWorryingAlerts).toEqual(new Set([1]));
    expect(screen.queryByRole("menuitem")).toBeNull();
  },
);

test("one alert is not worrying, and is again", async () => {
  const { user, mias, item } = await open();
  expect(item(0).getByText("New")).toBeVisible();

  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  await user.click(item(0).getByRole("menuitem", { name: "Only this one" }));

  expect(await item(0).findByText("Not worrying: Only this one")).toBeVisible();
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
        item(index).getByText('Not worrying: All "eating and body" alerts for', { exact: false }),
      ).toBeVisible(),
    );
  expect(item(2).getByRole("button", { name: "Not worrying" })).toBeVisible();
  expect(mias.notWorrying).toEqual(new Set(["eating_and_body"]));
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
  expect(
    screen.getByText(/^Alerts about these are listed, but not counted or sent to you\.$/u),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo Self-harm" }));
  await waitFor(() => expect(mias.notWorrying).toEqual(new Set(["eating_and_body"])));
  const next = screen.getByRole("button", { name: "Undo Eating and body" });
  await waitFor(() => expect(next).toHaveFocus());
  // Only once the first one is saved.
  await waitFor(() => expect(next).not.toHaveAttribute("aria-disabled", "true"));

  await user.click(next);
  await waitFor(() => expect(muted()).toBeNull());
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("a concern is added to what another device has saved meanwhile", async () => {
  const { user, mias, item } = await open();
  await user.click(item(0).getByRole("button", { name: "Not worrying" }));
  mias.notWorrying = new Set(["assistant"]);

  await user.click(item(0).getByRole("menuitem", { name: ofConcern }));

  await waitFor(() => expect(mias.notWorrying).toEqual(new Set(["assistant", "eating_and_body"])));
});

test("what is not worrying counts neither in the bell nor on Summary", async () => {
  const backend = new FakeBackend();
  const mias = alertsIn(backend.family("parent@example.com"), 1);
  mias.alerts = [reviewerAlert(2, 5, { flagged: eating }), reviewerAlert(1, 6, { flagged: danger })];
  mias.notWorrying = new Set(["eating_and_body"]);
  renderAt("/child/1/summary", { backend });

  expect(await screen.findByRole("button", { name: /^Alerts: .*1 new/u })).toBeVisible();
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
  expect(item(2).getByText(/It may be a game, a story or homework\.$/u)).toBeVisible();
  expect(item(0).queryByText(/Porchlight is not an emergency service/u)).toBeNull();
});

test("without a helpline the help names others to call", async () => {
  const { user, item } = await open();

  await user.click(item(0).getByText("What can I do now?"));

  expect(
    await item(0).findByText(/^Your doctor, the school or a helpline for families can help/u),
  ).toBeVisible();
  expect(document.querySelector("a[href^='tel:']")).toBeNull();
});

test("an alert of a ready-made phrase has them, too, and that of another phrase hasn't", async () => {
  const { user, item } = await open((backend) => {
    backend.helpline = "Childline 0800 1111";
    const own = alertsIn(backend.family("parent@example.com"), 1);
    own.alerts = [
      phraseAlert(3, 5, { phrase: { words: "I hate myself", side: "either" } }),
      phraseAlert(2, 6, { phrase: { words: "I'm scared to go home", side: "child" } }),
      phraseAlert(1, 7),
    ];
  });

  await user.click(item(0).getByText("What can I do now?"));
  expect(await item(0).findByText(/^Stay near Mia/u)).toBeVisible();
  expect(await item(0).findByRole("link", { name: "Childline 0800 1111" })).toBeVisible();
  await user.click(item(1).getByText("What can I do now?"));
  expect(
    await item(1).findByText(/^If it may be somebody at home, make sure that Mia is safe/u),
  ).toBeVisible();
  expect(item(2).queryByText("What can I do now?")).toBeNull();
});

test.each([
  ["Hurting myself", /^Stay near Mia/u],
  ["Someone hurts or scares me", /^If it may be somebody at home/u],
])("with the phrases of '%s' stands who hears of it, and what to do", async (title, step) => {
  const { user } = renderAt("/child/1/alerts/phrases");
  await user.click(await screen.findByText(title));

  expect(
    await screen.findByText("This rings for every guardian who watches, also for one it may be about."),
  ).toBeVisible();
  await user.click(screen.getByText("What can I do now?"));
  expect(await screen.findByText(step)).toBeVisible();
});
