import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { type FakeRules, rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

afterEach(() => vi.useRealTimers());

async function open(more: Partial<FakeRules> = {}) {
  const backend = new FakeBackend();
  const rules = rulesOf(more);
  backend.family("parent@example.com").rules.set(1, rules);
  const rendered = renderAt("/child/1/summary", { backend });
  await screen.findByRole("heading", { name: "Pause talking", level: 2 });
  return { ...rendered, rules };
}

async function button(name: string) {
  return screen.findByRole("button", { name });
}

test("on Summary one tap pauses talking indefinitely, and one resumes it", async () => {
  const { user, rules } = await open({
    times: { time_zone: "Europe/Berlin", quiet_hours: [], minutes_a_day: 60 },
  });

  await user.click(await button("Until resumed"));

  expect(await screen.findByText("Paused until resumed.")).toBeVisible();
  expect(await button("Resume")).toHaveFocus();
  await waitFor(() => expect(rules.times.pause).toEqual({}));
  await screen.findByText("Saved.");
  await user.click(await button("Resume"));

  await waitFor(() => expect(rules.times.pause).toBeUndefined());
  expect(rules.times.minutes_a_day).toBe(60);
  expect(await button("For an hour")).toHaveFocus();
});

test.each(["For an hour", "Until tomorrow at 7"])("a pause %s has an end", async (label) => {
  const { user, rules } = await open();
  const before = Date.now();

  await user.click(await button(label));

  await waitFor(() => expect(Date.parse(rules.times.pause?.until ?? "")).toBeGreaterThan(before));
  expect(await screen.findByText(/^Paused until .*\d:\d\d/u)).toHaveTextContent("(Europe/Berlin)");
});

test("the page shows that a pause has ended without a reload", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const until = new Date(Date.now() + 60_000).toISOString();
  await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [], pause: { until } } });
  expect(await button("Resume")).toBeVisible();

  await pass(61_000);

  expect(await button("For an hour")).toBeVisible();
});

test("a failure to save a pause is shown on Summary only", async () => {
  expectLogged(/status 503/u);
  const { user } = await open({ failing: "Not now, says the server." });

  await user.click(await button("For an hour"));

  expect(await screen.findAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("alert")).toHaveTextContent("Not now, says the server.");
});

test("if the times fail to load, the summary still shows", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/child/{childId}/times");
  renderAt("/child/1/summary", { backend });

  await waitFor(() => expect(screen.getByText(/Error loading the times/u)).toBeVisible());
  expect(await screen.findByRole("region", { name: "Summary as JSON" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "For an hour" })).toBeNull();
});
