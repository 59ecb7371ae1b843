import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { afterEach, expect, test, vi } from "vitest";

import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const AT_HOME = "Porchlight is at home. Join your Wi-Fi.";

/** A browser in which the service worker gave the page, or not. */
function openedBy(controller: object | null) {
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { controller } });
}

afterEach(() => Reflect.deleteProperty(navigator, "serviceWorker"));

test("a page that was opened without the server says where Porchlight is, and opens once it is reached", async () => {
  expectLogged(/can't be reached/u);
  openedBy({});
  let isAway = true;
  const away = http.post("/api/auth/token", () => (isAway ? HttpResponse.error() : undefined));
  const { user } = renderAt("/child/1/summary");
  server.use(away);

  expect(await screen.findByRole("heading", { name: AT_HOME })).toBeVisible();
  isAway = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});

test.each([
  ["without a worker, the server itself doesn't answer", null, () => HttpResponse.error()],
  ["a server that fails is there", {}, () => HttpResponse.json({ detail: "Broken." }, { status: 500 })],
])("%s", async (_why, controller, answer) => {
  expectLogged(/can't be reached|status of 500|status 500/u);
  openedBy(controller);
  renderAt("/child/1/summary");
  server.use(http.post("/api/auth/token", answer));

  expect(await screen.findByRole("heading", { name: "Porchlight can't be reached." })).toBeVisible();
  expect(screen.queryByText(AT_HOME)).toBeNull();
});

test("a request that is long without an answer is said, and goes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  openedBy({});
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  renderAt("/child/1/summary");
  server.use(
    http.post("/api/auth/token", async () => {
      await answered;
    }),
  );

  expect(await screen.findByText("Loading application...")).toBeVisible();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await screen.findByRole("heading", { name: AT_HOME })).toBeVisible();
  answer();
  vi.useRealTimers();

  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});
