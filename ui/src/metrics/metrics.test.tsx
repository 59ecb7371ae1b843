import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PATH = "/child/1/metrics";

afterEach(() => {
  vi.useRealTimers();
});

test("each chart has a heading and a table with its values", async () => {
  const { user } = renderAt(PATH);

  const days = within(await screen.findByRole("region", { name: /^Mia talked for .+ a day/u }));
  await user.click(days.getByText("As a table"));
  // Four weeks, the last of them incomplete, and the header row.
  const rows = within(days.getByRole("table")).getAllByRole("row").length - 1;
  expect(rows).toBeGreaterThan(21);
  expect(rows).toBeLessThanOrEqual(28);
  expect(screen.getByRole("heading", { level: 2, name: /^(?:Mostly|Longest) about /u })).toBeVisible();
  expect(screen.getByRole("heading", { level: 2, name: /% of answers were interrupted$/u })).toBeVisible();
});

test("a name that is read from the right is isolated, so that the title keeps its order", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").children = [{ child_id: 1, name: "\u0644\u064A\u0644\u0649" }];
  renderAt(PATH, { backend });

  const title = await screen.findByRole("heading", { level: 2, name: /talked for/u });
  expect(title.textContent).toMatch(/^\u2068\u0644\u064A\u0644\u0649\u2069 talked for/u);
  expect(title.querySelector("bdi")).toBeNull();
});

test("twelve weeks can be chosen", async () => {
  const { user } = renderAt(PATH);
  await screen.findByRole("slider", { name: "Minutes of each day" });

  await user.click(screen.getByRole("radio", { name: "12 weeks" }));

  await waitFor(() => {
    const chart = screen.getByRole("slider", { name: "Minutes of each day" });
    expect(Number(chart.getAttribute("aria-valuemax"))).toBeGreaterThan(77);
  });
});

test("the values of a chart are read with the arrow keys", async () => {
  const { user } = renderAt(PATH);
  const chart = await screen.findByRole("slider", { name: "Conversations by length" });
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/^40 minutes or more: /u));

  chart.focus();
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/^less than 2 minutes: /u));
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/^5 to 10 minutes: /u));
  await user.keyboard("{End}{ArrowRight}");
  expect(chart).toHaveAttribute("aria-valuenow", "6");
});

test("the arrow keys move through the week by day and by hour, with one tab stop", async () => {
  const { user } = renderAt(PATH);
  const chart = await screen.findByRole("slider", { name: "Minutes in each hour of the week, added up" });
  const says = (words: RegExp) =>
    expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(words));

  chart.focus();
  says(/^Sunday, 11 PM to 12 AM: /u);
  await user.keyboard("{ArrowRight}{ArrowDown}");
  says(/^Sunday, 11 PM /u);
  await user.keyboard("{Home}{ArrowUp}");
  says(/^Saturday, 12 AM /u);
  await user.keyboard("{ArrowLeft}");
  says(/^Saturday, 12 AM /u);
  await user.keyboard("{End}");
  says(/^Saturday, 11 PM /u);
  await user.keyboard("{Control>}{Home}{/Control}{ArrowUp}");
  says(/^Monday, 12 AM /u);
  await user.keyboard("{Control>}{End}{/Control}");
  says(/^Sunday, 11 PM /u);
  expect(chart.querySelectorAll("[tabindex]")).toHaveLength(0);
});

test("the value that stands out is in words without a pointer", async () => {
  renderAt(PATH);
  const days = within(await screen.findByRole("region", { name: /^Mia talked for .+ a day/u }));
  const hours = within(screen.getByRole("region", { name: /^Longest on /u }));

  expect(days.getByText(/^\w+, \w+ \d+: .* minutes?$/u)).toBeInTheDocument();
  const [, weekday = "", hour = ""] =
    /^Longest on (\w+) (.*)$/u.exec(hours.getByRole("heading").textContent) ?? [];
  expect(hours.getByText(new RegExp(`^${weekday}, ${hour} to `, "u"))).toBeInTheDocument();
});

test("a chart without a value is left out", async () => {
  const backend = new FakeBackend();
  for (const { messages } of backend.family("parent@example.com").sessions)
    for (const message of messages) delete message.interrupted;
  renderAt(PATH, { backend });

  expect(await screen.findByRole("slider", { name: "Conversations by length" })).toBeVisible();
  expect(screen.queryByText(/were interrupted$/u)).toBeNull();
});

test("if all conversations took no time, the charts of minutes are left out", async () => {
  const backend = new FakeBackend();
  for (const session of backend.family("parent@example.com").sessions)
    session.messages = session.messages.slice(0, 1);
  renderAt(PATH, { backend });

  expect(await screen.findByRole("slider", { name: "Conversations by length" })).toBeVisible();
  expect(screen.queryByRole("slider", { name: "Minutes of each day" })).toBeNull();
  expect(screen.queryByRole("slider", { name: "Minutes of each week by topic" })).toBeNull();
});

test("without conversations the page says so", async () => {
  renderAt("/child/204/metrics");

  expect(await screen.findByText("Charts appear after the first conversation.")).toBeVisible();
});

test("while the metrics load the page says so", async () => {
  renderAt("/child/102/metrics");

  expect(await screen.findByText("Loading...")).toBeVisible();
});

test("a failure shows the server's message, and can be retried", async () => {
  expectLogged(/status 503/u);
  const backend = new FakeBackend();
  const { user } = renderAt("/child/503/metrics", { backend });
  const sentence = "This can't be read right now. Please try again in a minute.";
  expect(await screen.findByText(sentence)).toBeVisible();
  const before = backend.calls.get("/child/{childId}/metrics") ?? 0;

  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(backend.calls.get("/child/{childId}/metrics")).toBeGreaterThan(before));
});

test("a failed refetch keeps the chosen weeks", async () => {
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { backend } = renderAt(PATH);
  const chart = await screen.findByRole("slider", { name: "Minutes of each day" });
  const days = Number(chart.getAttribute("aria-valuemax"));
  expect(days).toBeGreaterThan(21);
  backend.outOfReach.add("/child/{childId}/metrics");

  // The device wakes after a minute.
  vi.setSystemTime(Date.now() + 60_000);
  dispatchEvent(new Event("visibilitychange"));

  expect(await screen.findByText(/^No connection\./u)).toBeVisible();
  const now = screen.getByRole("slider", { name: "Minutes of each day" });
  expect(Number(now.getAttribute("aria-valuemax"))).toBe(days);
});

test("each chart is scaled to the paper on which it is printed", async () => {
  renderAt(PATH);
  const charts = await screen.findAllByRole("slider");

  expect(charts).toHaveLength(6);
  for (const chart of charts) {
    const drawing = chart.querySelector("svg");
    // The grid lines are as wide as the drawing.
    const width = drawing?.querySelector("line")?.getAttribute("x2");
    expect(drawing).toHaveAttribute("viewBox", `0 0 ${width} ${drawing?.getAttribute("height")}`);
  }
});
