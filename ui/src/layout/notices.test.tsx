import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { allAnswered, requestsTo } from "../test/requests";
import { server } from "../test/server";

afterEach(() => {
  vi.useRealTimers();
  // TanStack Query's online state outlives a test.
  dispatchEvent(new Event("online"));
});

/** Simulates a device that wakes after a minute. */
function wake() {
  vi.setSystemTime(Date.now() + 60_000);
  dispatchEvent(new Event("visibilitychange"));
}

const LINE = /^No connection\. Not live\. Last updated \d+:\d\d [AP]M$/u;

test("a phone that wakes offline keeps the page and the input, shows a notice, and recovers", async () => {
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { backend, user } = renderAt("/child/1/topic-blocklist");
  const box = await screen.findByRole("textbox", { name: "A topic of your own" });
  await user.type(box, "Half typ");
  await allAnswered();
  server.use(http.all("/api/*", () => HttpResponse.error()));

  wake();

  expect(await screen.findByText(LINE)).toHaveRole("status");
  expect(box).toBeVisible();
  expect(box).toHaveFocus();
  await user.type(box, "ed");
  expect(box).toHaveValue("Half typed");
  expect(screen.getByRole("combobox", { name: "Child" })).toHaveDisplayValue("Mia");
  expect(screen.getByText("Horror films")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();

  backend.family("parent@example.com").children.push({ child_id: 3, name: "Zoe" });
  server.resetHandlers(...backend.handlers);
  await pass(5000);

  await waitFor(() => expect(screen.queryByText(LINE)).toBeNull());
  expect(await screen.findByRole("option", { name: "Zoe" })).toBeInTheDocument();
  expect(box).toHaveValue("Half typed");
});

test.each([
  ["a proxy whose server restarts", 502, {}],
  ["a proxy without a server", 503, {}],
  ["a server that has too much to do", 503, { detail: "Not now." }],
  ["a server that counts requests", 429, { detail: "Too many." }],
])("%s doesn't replace the page of a paused child", async (_who, status, body) => {
  expectLogged(/status (?:502|503|429)/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const backend = new FakeBackend();
  const times = { time_zone: "Europe/Berlin", quiet_hours: [], pause: {} };
  backend.family("parent@example.com").rules.set(2, rulesOf({ times }));
  renderAt("/child/2/summary", { backend });
  expect(await screen.findByText("Paused until resumed")).toBeVisible();
  await allAnswered();
  server.use(http.all("/api/*", () => HttpResponse.json(body, { status })));

  wake();

  const line = /^Not live\. Last updated \d+:\d\d [AP]M$/u;
  expect(await screen.findByText(line)).toHaveRole("status");
  await waitFor(() => expect(requestsTo("/api/children")).toBeGreaterThan(1));
  await pass(1000);
  expect(screen.getByText("Paused until resumed")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Summary for Noah" })).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Child" })).toHaveDisplayValue("Noah");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a refetch that failed with a proxy's error is repeated when the server is back", async () => {
  expectLogged(/status 502/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { backend } = renderAt("/child/1/topic-blocklist");
  await screen.findByText("Horror films");
  await allAnswered();
  server.use(http.all("/api/*", () => new HttpResponse("<h1>Bad Gateway</h1>", { status: 502 })));
  wake();
  const line = await screen.findByText(/^Not live\. Last updated/u);

  backend.family("parent@example.com").children.push({ child_id: 3, name: "Zoe" });
  server.resetHandlers(...backend.handlers);
  await pass(5000);

  await waitFor(() => expect(line).toBeEmptyDOMElement());
  expect(await screen.findByRole("option", { name: "Zoe" })).toBeInTheDocument();
});

test("a page opened offline loads when the connection is back", async () => {
  expectLogged(/can't be reached/u);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { backend, router } = renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  server.use(http.all("/api/*", () => HttpResponse.error()));

  await router.navigate("/child/1/summary");
  // Each request that fails has an alert of its own.
  const [alert] = await screen.findAllByRole("alert");
  expect(alert).toHaveTextContent("The server can't be reached.");
  server.resetHandlers(...backend.handlers);
  await pass(5000);

  expect(await screen.findByRole("region", { name: "Summary as JSON" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

test.each(["summary", "activities/completed", "activities/upcoming", "topic-blocklist"])(
  "%s that can't be refetched keeps its data and shows their age",
  async (section) => {
    expectLogged(/status 503/u);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderAt(`/child/1/${section}`);
    await waitFor(() => expect(screen.queryByText(/^Loading/u)).toBeNull());
    if (section === "summary") {
      await screen.findByRole("button", { name: "Pause for an hour" });
      await screen.findByText("Today:");
    }
    const before = screen.getByRole("main").textContent;
    server.use(http.get("/api/child/*", () => HttpResponse.json({ detail: "Not now." }, { status: 503 })));

    wake();

    expect(await screen.findByText(/^Not live\. Last updated \d+:\d\d [AP]M$/u)).toBeVisible();
    expect(screen.getByRole("main").textContent).toBe(before);
  },
);

test("an offline device shows 'No connection.' at once", async () => {
  renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });

  act(() => void dispatchEvent(new Event("offline")));
  // On a busy machine, React has rendered the notice but not yet subscribed it to the event.
  expect(await screen.findByText("No connection.")).toHaveRole("status");

  act(() => void dispatchEvent(new Event("online")));
  await waitFor(() => expect(screen.queryByText("No connection.")).toBeNull());
});
