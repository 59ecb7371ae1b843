import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { type FakeRules, rulesOf } from "../test/fake-backend-rules";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PARENT = "parent@example.com";
const MINUTE = 60_000;

afterEach(() => vi.useRealTimers());

async function open(more: Partial<FakeRules> = {}, backend = new FakeBackend()) {
  const assistants = [{ name: "Kitchen", kind: "silent" } as const];
  const rules = rulesOf({ receipts: { number: 1, topics_number: 1, assistants }, ...more });
  backend.family(PARENT).rules.set(1, rules);
  const rendered = renderAt("/child/1/summary", { backend });
  await screen.findByRole("region", { name: "Now" });
  return { ...rendered, rules };
}

async function button(name: string) {
  return screen.findByRole("button", { name });
}

function line() {
  return within(screen.getByRole("region", { name: "Now" })).getByRole("status");
}

test("one tap pauses for an hour, and the same button undoes it", async () => {
  const { user, rules } = await open({
    times: { time_zone: "Europe/Berlin", quiet_hours: [], minutes_a_day: 60 },
  });
  const before = Date.now();

  await user.click(await button("Pause for an hour"));

  expect(await button("Undo")).toHaveFocus();
  await waitFor(() =>
    expect(line()).toHaveTextContent(/^Paused until .*\d:\d\d .*\(Central European Time\)$/u),
  );
  const until = Date.parse(rules.times.pause?.until ?? "");
  expect(until).toBeGreaterThanOrEqual(before + 60 * MINUTE);
  expect(until).toBeLessThan(before + 62 * MINUTE);
  await user.click(await button("Undo"));

  await waitFor(() => expect(rules.times.pause).toBeUndefined());
  expect(rules.times.minutes_a_day).toBe(60);
  expect(await button("Pause for an hour")).toHaveFocus();
  await waitFor(() => expect(line()).toHaveTextContent(/^Not talking$/u));
});

test("a pause of an hour can be made longer", async () => {
  const { user, rules } = await open();
  await user.click(await button("Pause for an hour"));
  const inTwoHours = Date.now() + 2 * 60 * MINUTE;
  // While one change is being saved, the buttons do nothing.
  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until/u));

  await user.click(await button("Until tomorrow at 7"));
  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until .*7:00\sAM/u));
  expect(Date.parse(rules.times.pause?.until ?? "")).toBeGreaterThan(inTwoHours);
  expect(await button("Resume")).toBeVisible();
  await user.click(await button("Until resumed"));

  await waitFor(() => expect(rules.times.pause).toEqual({}));
  await waitFor(() => expect(line()).toHaveTextContent("Paused until resumed"));
  expect(screen.queryByRole("button", { name: "Until resumed" })).toBeNull();
});

test("until the server has said what it did, nothing on the page says that it is paused", async () => {
  const backend = new FakeBackend();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user } = await open({}, backend);
  backend.heldBack.set("/child/{childId}/talk_status", promise);

  await user.click(await button("Pause for an hour"));

  await waitFor(() => expect(line()).toHaveTextContent("One moment..."));
  expect(await button("Pause for an hour")).toHaveAttribute("aria-disabled", "true");
  expect(screen.queryByRole("button", { name: "Until tomorrow at 7" })).toBeNull();
  resolve();
  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until/u));
  expect(await button("Undo")).toHaveFocus();
});

test("the line names who hasn't confirmed the pause, and who talks on", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  const live = session(1, 1, 0, [["child", "Why?"]], { ended: false, assistant: "Kitchen" });
  backend.family(PARENT).sessions.splice(0, Infinity, live);
  const { user, rules } = await open({ unconfirmed: ["Car", "Kitchen"] }, backend);
  await waitFor(() => expect(line()).toHaveTextContent("Talking with Kitchen now"));

  await user.click(await button("Pause for an hour"));
  await waitFor(() =>
    expect(line()).toHaveTextContent(
      /^Paused until .*\d+:\d\d [AP]M.*\. No answer yet from Car and Kitchen\. They may go on talking\.$/u,
    ),
  );
  rules.talksOn = true;
  backend.sendEvents("session 1");
  await waitFor(() =>
    expect(line()).toHaveTextContent(
      /^Paused until .*, but Kitchen is still talking\. No answer yet from Car\. It may go on talking\.$/u,
    ),
  );
  expect(within(line()).getByRole("link")).toHaveAttribute("href", "/child/1/transcripts?session=1");
  live.ended = true;
  rules.unconfirmed = [];
  backend.sendEvents("receipts");

  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until/u));
});

test("another guardian's pause doesn't move the page", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  const { rules } = await open({ pausedBy: { is_you: false, name: "Robin" } }, backend);
  await waitFor(() => expect(backend.openStreams).toBe(1));

  rules.times = { ...rules.times, pause: {} };
  rules.version += 1;
  backend.sendEvents("times");

  await waitFor(() => expect(line()).toHaveTextContent("Paused until resumed · Robin"));
  expect(await button("Resume")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Until tomorrow at 7" })).toBeNull();
});

test("the page shows that a pause has ended without a reload", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const until = new Date(Date.now() + MINUTE).toISOString();
  await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [], pause: { until } } });
  expect(await button("Resume")).toBeVisible();
  expect(await button("Until tomorrow at 7")).toBeVisible();

  await pass(61_000);

  expect(await button("Pause for an hour")).toBeVisible();
  await waitFor(() => expect(line()).toHaveTextContent(/^Not talking$/u));
});

test("a conversation that falls silent is no longer live, without an event", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const backend = new FakeBackend();
  const live = session(1, 1, 0, [["child", "Why?"]], { ended: false, assistant: "Kitchen" });
  backend.family(PARENT).sessions.splice(0, Infinity, live);
  await open({}, backend);
  await waitFor(() => expect(line()).toHaveTextContent("Talking with Kitchen now"));

  await pass(2 * MINUTE + 1000);

  await waitFor(() => expect(line()).toHaveTextContent(/^Not talking$/u));
});

test("a pause that the server refuses isn't shown as one, and is told once", async () => {
  expectLogged(/status 503/u);
  const { user, rules } = await open({ failing: "Not now, says the server." });

  await user.click(await button("Pause for an hour"));

  expect(await screen.findAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("alert")).toHaveTextContent("Not paused. Not now, says the server.");
  expect(line()).toBeEmptyDOMElement();
  expect(await button("Pause for an hour")).toHaveFocus();
  expect(rules.times.pause).toBeUndefined();
  rules.failing = null;
  await user.click(await button("Pause for an hour"));

  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until/u));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("without a connection the row says that it isn't paused, or still is", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  const { user } = await open({}, backend);
  backend.outOfReach.add("/child/{childId}/times");

  await user.click(await button("Pause for an hour"));

  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent("Not paused. Porchlight can't be reached."),
  );
  backend.outOfReach.clear();
  await user.click(await button("Pause for an hour"));
  await waitFor(() => expect(line()).toHaveTextContent(/^Paused until/u));
  backend.outOfReach.add("/child/{childId}/times");
  await user.click(await button("Undo"));

  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent("Still paused. Porchlight can't be reached."),
  );
});

test("once another guardian has paused, a failure isn't told any more", async () => {
  expectLogged(/status 503/u);
  const backend = new FakeBackend();
  backend.opensStreams = true;
  const { user, rules } = await open({ failing: "Not now.", pausedBy: { is_you: false } }, backend);
  await waitFor(() => expect(backend.openStreams).toBe(1));
  await user.click(await button("Pause for an hour"));
  expect(await screen.findByRole("alert")).toHaveTextContent("Not paused. Not now.");

  rules.times = { ...rules.times, pause: {} };
  backend.sendEvents("times");

  await waitFor(() => expect(line()).toHaveTextContent("Paused until resumed · Another guardian"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("without an assistant there is no row", async () => {
  const backend = new FakeBackend();
  backend.family(PARENT).rules.set(1, rulesOf());
  renderAt("/child/1/summary", { backend });

  expect(await screen.findByText(/^Today:/u)).toBeVisible();
  expect(screen.queryByRole("region", { name: "Now" })).toBeNull();
});

test.each(["times", "talk_status"] as const)(
  "if the %s fail to load, the summary still shows",
  async (what) => {
    expectLogged(/can't be reached/u);
    const backend = new FakeBackend();
    backend.outOfReach.add(`/child/{childId}/${what}`);
    renderAt("/child/1/summary", { backend });

    await waitFor(() => expect(screen.getByText(/^The server can't be reached\./u)).toBeVisible());
    expect(await screen.findByRole("region", { name: "Summary as JSON" })).toBeVisible();
    expect(await button("Pause for an hour")).toHaveAttribute("aria-disabled", String(what === "times"));
  },
);
