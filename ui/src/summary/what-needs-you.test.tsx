import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { alertsOf, phraseAlert, reviewerAlert } from "../test/fake-backend-alerts";
import { type FakeNeed, assistantOf } from "../test/fake-backend-attention";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PARENT = "parent@example.com";
const SUMMARY = "/child/1/summary";
const hour = 60 * 60_000;

async function region() {
  return within(await screen.findByRole("region", { name: "What needs you" }));
}

/** The card: the first link. */
async function card() {
  const [first] = (await region()).getAllByRole("link");
  if (first === undefined) throw new Error("There is no card.");
  return first;
}

function backendWith(...needs: FakeNeed[]) {
  const backend = new FakeBackend();
  backend.family(PARENT).attention.needs.set(1, needs);
  return backend;
}

const since = new Date(Date.now() - 60 * hour).toISOString();
const silent: FakeNeed = { state: "silent", assistant: assistantOf("Kitchen"), since };

test.each([
  [
    "urgent",
    /^Please look now\. An AI reader flagged "self-harm" in Mia's conversation with Kitchen, .+ at .+/u,
  ],
  ["alert", /"Our secret" was said in Mia's conversation with Kitchen at .+\.and 1 more$/u],
  ["not_reached", /^Alerts don't reach you: our email to you was refused on \w+\.$/u],
  ["rules_refused", /^Tablet refused your rules\.$/u],
  ["rules_unconfirmed", /^Tablet hasn't confirmed your rules\.$/u],
  ["rules_incomplete", /^Tablet may not get all your rules\.$/u],
  ["not_saved", /^2 messages of a conversation on \w+ couldn't be saved\.$/u],
  ["not_reviewed", /^3 conversations were not reviewed\.$/u],
  ["silent", /^Kitchen hasn't connected since \w+\.$/u],
  ["nothing_open", /^No open alerts\. Last heard: Kitchen, .+ at .+\.$/u],
  ["nothing_heard", /^Nothing heard yet\.$/u],
  ["no_assistant", /^No assistant connected\.$/u],
])("in the state %s the card is one link that says so", async (state, sentence) => {
  renderAt(SUMMARY, { as: `${state}@needs.example.com` });

  const link = await card();
  expect(link).toHaveTextContent(sentence);
  expect(within(link).queryByRole("button")).toBeNull();
  expect((await region()).queryByText(/\b(?:fine|safe|well)\b/iu)).toBeNull();
});

test("below the card stands how far Porchlight sees", async () => {
  renderAt(SUMMARY, { as: "urgent@needs.example.com" });

  expect(
    (await region()).getByText(
      "Porchlight sees only what Kitchen and Tablet send. You watch for 12 phrases. AI reader: on.",
    ),
  ).toBeVisible();
});

test("without an assistant the page says what Porchlight can't see, and leads to connecting one", async () => {
  renderAt(SUMMARY, { as: "no_assistant@needs.example.com" });

  expect((await region()).getByText(/It can't see the ChatGPT app\.$/u)).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Connect an assistant" })).toHaveLength(1);
});

test("the other children about whom something rings stand below, and lead to their summaries", async () => {
  const { user, path } = renderAt(SUMMARY, { as: "alert@needs.example.com" });

  const others = within(await screen.findByRole("list", { name: "Other children" }));
  const [link] = others.getAllByRole("link");
  expect(link).toHaveAccessibleName("Noah: please look now");
  expect(await screen.findByRole("option", { name: "Noah · please look now" })).toBeInTheDocument();
  if (link !== undefined) await user.click(link);

  await waitFor(() => expect(path()).toBe("/child/2/summary"));
  expect(await screen.findByRole("heading", { name: "Summary for Noah" })).toBeVisible();
  expect(await card()).toHaveTextContent(/^Please look now\./u);
  expect(screen.getByRole("link", { name: "Mia: 2 alerts" })).toBeVisible();
});

test("of other children nothing but what rings is told", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).attention.needs.set(2, [{ ...silent }]);
  renderAt(SUMMARY, { backend });

  await card();
  expect(screen.queryByRole("list", { name: "Other children" })).toBeNull();
});

test("an alert leads to its place, and leaves the card once it is dealt with", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).alerts.set(1, alertsOf(phraseAlert(2, 5), phraseAlert(1, 60)));
  const { user, path, router } = renderAt(SUMMARY, { backend });

  await user.click(await card());
  await waitFor(() => expect(path()).toBe("/child/1/alerts"));
  await waitFor(() => expect(document.querySelector('[data-alert="2"]')).toHaveFocus());
  const buttons = screen.getAllByRole("button", { name: "I've dealt with it" });
  for (const button of buttons) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a guardian does
    await user.click(button);
  }
  await waitFor(() => expect(screen.getAllByText("You've dealt with it.")).toHaveLength(2));
  await router.navigate(SUMMARY);

  await waitFor(async () => expect(await card()).toHaveTextContent(/^No open alerts\./u));
});

test("an urgent alert leaves the card when it is not worrying", async () => {
  const backend = new FakeBackend();
  const flagged = { concern: "self_harm", severity: "urgent", model: "m", not_worrying: false } as const;
  const alerts = alertsOf(reviewerAlert(1, 5, { flagged }));
  backend.family(PARENT).alerts.set(1, alerts);
  backend.opensStreams = true;
  renderAt(SUMMARY, { backend });
  expect(await card()).toHaveTextContent(/^Please look now\./u);
  await waitFor(() => expect(backend.openStreams).toBe(1));

  alerts.notWorryingAlerts.add(1);
  backend.sendEvents("alerts");

  await waitFor(async () => expect(await card()).toHaveTextContent(/^No open alerts\./u));
});

test("an assistant that no longer connects leads to its place, and leaves as not in use", async () => {
  const backend = backendWith(silent);
  backend.household.connections = { asi_kitchen: { heard_at: since } };
  const { user, path, router } = renderAt(SUMMARY, { backend });

  await user.click(await card());
  await waitFor(() => expect(path()).toBe("/child/1/settings/assistants"));
  await user.click(await screen.findByRole("button", { name: "Not in use Kitchen" }));
  expect(await screen.findByText("Kitchen: Not in use")).toBeVisible();
  expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus();
  await router.navigate(SUMMARY);
  await waitFor(async () => expect(await card()).toHaveTextContent(/^No open alerts\./u));
  await router.navigate("/child/1/settings/assistants");
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("button", { name: "Not in use Kitchen" })).toHaveFocus();
});

test("an assistant that connected today can't be said not to be in use", async () => {
  const backend = new FakeBackend();
  backend.household.connections = { asi_kitchen: { heard_at: new Date().toISOString() } };
  renderAt("/child/1/settings/assistants", { backend });

  expect(await screen.findByText(/^Last seen now/u)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Not in use/u })).toBeNull();
});

test("what begins to wait while the page is open is shown", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  renderAt(SUMMARY, { backend });
  expect(await card()).toHaveTextContent(/^No open alerts\./u);
  const line = screen.getByRole("region", { name: "Now" });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  backend.family(PARENT).alerts.set(1, alertsOf(phraseAlert(1, 0)));
  backend.sendEvents("alerts");

  await waitFor(async () => expect(await card()).toHaveTextContent(/"Our secret" was said/u));
  expect(line).toBeInTheDocument();
});

test("if the call fails, the page doesn't say that nothing is open, and it can be tried again", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/attention");
  const { user } = renderAt(SUMMARY, { backend });

  expect(await screen.findByText(/^The server can't be reached\./u)).toBeVisible();
  expect(screen.queryByText(/No open alerts/u)).toBeNull();
  expect(screen.getByRole("region", { name: "Now" })).toBeVisible();
  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await card()).toHaveTextContent(/^No open alerts\./u);
});

test("records that can't be read are counted below the card", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).attention.unreadable = 2;
  renderAt(SUMMARY, { backend });

  expect(await card()).toHaveTextContent(/^No open alerts\./u);
  expect((await region()).getByText("2 records could not be read")).toBeVisible();
});

test("if what needs the guardian about this child can't be read, the card leads to the alerts", async () => {
  const backend = new FakeBackend();
  const family = backend.family(PARENT);
  for (const child of family.children) family.unreadable.add(child);
  renderAt(SUMMARY, { backend });

  const link = await card();
  expect(link).toHaveTextContent("What needs you could not be read. Look at Mia's alerts.");
  expect(link).toHaveAttribute("href", "/child/1/alerts");
});
