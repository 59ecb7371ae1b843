import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PARENT = "parent@example.com";
const MINUTE = 60_000;

/** A backend on which Mia has sessions of three minutes. `ago` is in ms. */
function backendWith(...sessions: [id: number, ago: number, topic: string][]) {
  const backend = new FakeBackend();
  const lines: Parameters<typeof session>[3] = [
    ["child", "Why?"],
    ["assistant", "Because.", 180],
  ];
  const made = sessions.map(([id, ago, topic]) => session(id, 1, ago, lines, { topic }));
  backend.family(PARENT).sessions.splice(0, Infinity, ...made);
  return backend;
}

afterEach(() => {
  vi.useRealTimers();
});

test("today's conversation is summarised in a sentence", async () => {
  renderAt("/child/1/summary", { backend: backendWith([9, 0, "Octopuses"]) });

  const sentence = (await screen.findByText("Today:")).parentElement;
  expect(sentence).toHaveTextContent("Today: 3 minutes in 1 conversation, about Octopuses.");
  expect(screen.getByText("Yesterday:").parentElement).toHaveTextContent("Yesterday: No conversation.");
  expect(screen.getByRole("heading", { name: "This week: 3 minutes" })).toBeVisible();
});

test("a topic's conversations fold out, each with its day and time", async () => {
  const backend = backendWith([9, 0, "Octopuses"], [8, MINUTE, "Octopuses"], [7, 2 * MINUTE, "Octopuses"]);
  const { user } = renderAt("/child/1/summary", { backend });

  const about = within(await screen.findByRole("region", { name: "What it was about" }));
  const topic = about.getByText("9 minutes in 3 conversations");
  expect(topic.closest("details")).not.toHaveAttribute("open");
  await user.click(topic);

  expect(topic.closest("details")).toHaveAttribute("open");
  const links = about.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(
    [9, 8, 7].map((id) => `/child/1/transcripts?session=${id}`),
  );
  for (const link of links) expect(link).toHaveTextContent(/^(Today|Yesterday) \d+:\d\d [AP]M$/u);
});

test("the week chart has a table for screen readers", async () => {
  renderAt("/child/1/summary", { backend: backendWith([9, 0, "Octopuses"]) });

  const table = await screen.findByRole("table", { name: "Minutes by day, this week and last week" });
  expect(within(table).getAllByRole("row")).toHaveLength(8);
  expect(within(table).getByRole("cell", { name: "3 minutes" })).toBeInTheDocument();
});

test("the assistant's note is shown in words", async () => {
  const backend = new FakeBackend();
  renderAt("/child/1/summary", { backend });

  const note = within(await screen.findByRole("region", { name: "The assistant's own note" }));
  expect(note.getByText("Mia explains fractions in her own words now.")).toBeVisible();
  expect(note.getByText("asks why, keeps trying")).toBeVisible();
});

test("if the metrics fail to load, the summary still shows, and the metrics can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/child/{childId}/metrics");
  const { user } = renderAt("/child/1/summary", { backend });

  expect(await screen.findByText(/^The server can't be reached\./u)).toBeVisible();
  expect(await screen.findByRole("region", { name: "Summary as JSON" })).toBeVisible();

  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Today:")).toBeVisible();
});

test("without a summary there is no overview", async () => {
  renderAt("/child/204/summary");

  expect(await screen.findByText("No summary data available.")).toBeVisible();
  expect(screen.queryByText("Today:")).not.toBeInTheDocument();
});

test("at midnight today becomes yesterday", async () => {
  // The clock passes the deadline of requests in flight.
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date("2026-11-23T23:58:00Z") });
  renderAt("/child/1/summary", { backend: backendWith([9, 10 * MINUTE, "Octopuses"]) });
  await screen.findByText("Today:");
  expect(screen.getByText("Today:").parentElement).toHaveTextContent(
    "Today: 3 minutes in 1 conversation, about Octopuses.",
  );

  await pass(2 * MINUTE);

  await waitFor(() =>
    expect(screen.getByText("Today:").parentElement).toHaveTextContent("Today: No conversation."),
  );
  expect(screen.getByText("Yesterday:").parentElement).toHaveTextContent(
    "3 minutes in 1 conversation, about Octopuses.",
  );
});

test("topics with the same displayed text are both shown", async () => {
  const backend = backendWith([9, 0, "Bees"], [8, MINUTE, "Bees\u202A"], [7, MINUTE, "Bees[LRE]"]);
  renderAt("/child/1/summary", { backend });

  const about = within(await screen.findByRole("region", { name: "What it was about" }));
  expect(about.getAllByText("Bees[LRE]")).toHaveLength(2);
});
