import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { problem } from "../test/fake-problem";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/subscription";
const ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/abc";
const notify = { name: "Notify me on this device" };

/** A browser with Web Push, which answers so when it asks for permission. */
function pushBrowser(permission: NotificationPermission) {
  const shown = { close: vi.fn<() => void>() };
  const unsubscribe = vi.fn<() => Promise<boolean>>(async () => {
    subscription = null;
    return true;
  });
  const made = {
    unsubscribe,
    toJSON: () => ({ endpoint: ENDPOINT, expirationTime: null, keys: { p256dh: "public", auth: "secret" } }),
  };
  let subscription: typeof made | null = null;
  const subscribe = vi.fn<(options: PushSubscriptionOptionsInit) => Promise<typeof made>>(async () => {
    subscription = made;
    return made;
  });
  const registration = {
    pushManager: { subscribe, getSubscription: async () => subscription },
    getNotifications: async () => [shown],
  };
  const register = vi.fn<(url: string) => Promise<typeof registration>>(async () => registration);
  const getRegistration = async () => registration;
  const serviceWorker = { register, getRegistration, ready: Promise.resolve(registration) };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  const requestPermission = async () => permission;
  Object.defineProperty(window, "PushManager", { configurable: true, value: {} });
  Object.defineProperty(window, "Notification", { configurable: true, value: { requestPermission } });
  return { subscribe, unsubscribe, register, shown };
}

afterEach(() => {
  Reflect.deleteProperty(navigator, "serviceWorker");
  Reflect.deleteProperty(window, "PushManager");
  Reflect.deleteProperty(window, "Notification");
  Reflect.deleteProperty(navigator, "setAppBadge");
});

function begin(key: string | undefined, endedSince?: string) {
  const backend = new FakeBackend();
  const own = backend.family("parent@example.com").subscription;
  own.push = {
    others: 0,
    ...(key !== undefined && { key }),
    ...(endedSince !== undefined && { ended_since: endedSince }),
  };
  backend.stepUp.steppedUp = true;
  return { ...renderAt(PAGE, { backend }), own };
}

test("this device is notified, and what it is notified of can be chosen", async () => {
  const browser = pushBrowser("granted");
  const { user, own } = begin("BServerKey");
  const sentence =
    "Only on a phone that nobody else unlocks. Google, Apple or Mozilla pass it on, without names or words; they learn when.";
  expect(await screen.findByText(sentence)).toBeVisible();

  await user.click(screen.getByRole("button", notify));

  expect(await screen.findByText(/^On since Nov \d$/u)).toBeVisible();
  expect(own.pushed).toEqual({ key: "BServerKey", endpoint: ENDPOINT, p256dh: "public", auth: "secret" });
  expect(browser.register).toHaveBeenCalledWith("/worker.js");
  expect(browser.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: "BServerKey",
  });
  expect(screen.getByRole("group", { name: "About which alerts?" })).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Switch off" }));

  expect(await screen.findByRole("button", notify)).toBeVisible();
  expect(own.pushed).toBeUndefined();
  expect(browser.unsubscribe).toHaveBeenCalledOnce();
  expect(browser.shown.close).toHaveBeenCalledOnce();
});

test("it is switched on after stepping up", async () => {
  pushBrowser("granted");
  expectLogged(/403/u);
  const { user, own, backend } = begin("BServerKey");
  backend.stepUp.steppedUp = false;

  await user.click(await screen.findByRole("button", notify));
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  expect(own.pushed).toBeUndefined();
  await user.click(await within(dialog).findByRole("button", { name: "Recovery code" }));
  await user.type(within(dialog).getByLabelText("Recovery code"), backend.stepUp.codes?.[0] ?? "");
  await user.click(within(dialog).getByRole("button", { name: "Confirm" }));

  await waitFor(() => expect(own.pushed?.endpoint).toBe(ENDPOINT));
});

test("a browser that blocks notifications is said so, and nothing is switched on", async () => {
  expectLogged("NotAllowed");
  const browser = pushBrowser("denied");
  const { user, own } = begin("BServerKey");

  await user.click(await screen.findByRole("button", notify));

  expect(await screen.findByText(/This browser blocks notifications from Porchlight/u)).toBeVisible();
  expect(browser.subscribe).not.toHaveBeenCalled();
  expect(own.pushed).toBeUndefined();
});

test("what the server refuses leaves no subscription in the browser", async () => {
  const browser = pushBrowser("granted");
  expectLogged(/422/u);
  const { user, own } = begin("BServerKey");
  const detail = "Porchlight doesn't know this browser's push service.";
  own.refusal = () => problem(422, "push_endpoint_unknown", detail);

  await user.click(await screen.findByRole("button", notify));

  expect(await screen.findByText(detail)).toBeVisible();
  await waitFor(() => expect(browser.unsubscribe).toHaveBeenCalledOnce());
});

test("signing out ends the subscription, closes what is shown and clears the badge", async () => {
  const browser = pushBrowser("granted");
  const setAppBadge = vi.fn<(count: number) => Promise<void>>(async () => {});
  Object.defineProperty(navigator, "setAppBadge", { configurable: true, value: setAppBadge });
  const { user } = begin("BServerKey");
  await user.click(await screen.findByRole("button", notify));
  await screen.findByRole("button", { name: "Switch off" });

  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));

  await waitFor(() => expect(browser.unsubscribe).toHaveBeenCalledOnce());
  expect(browser.shown.close).toHaveBeenCalled();
  expect(setAppBadge).toHaveBeenLastCalledWith(0);
});

test("a sign-in that has ended elsewhere ends it on this device when it is opened", async () => {
  const browser = pushBrowser("granted");
  await browser.subscribe({ applicationServerKey: "BServerKey" });
  renderAt(PAGE, { as: null });

  await waitFor(() => expect(browser.unsubscribe).toHaveBeenCalledOnce());
  expect(browser.shown.close).toHaveBeenCalled();
});

test("a subscription that the server has ended is said, and can be switched on again", async () => {
  const browser = pushBrowser("granted");
  await browser.subscribe({ applicationServerKey: "BFormerKey" });
  const { user, own } = begin("BServerKey");

  expect(await screen.findByText(/^Notifications on this device have stopped\.$/u)).toBeVisible();
  await user.click(screen.getByRole("button", notify));

  await waitFor(() => expect(own.pushed?.key).toBe("BServerKey"));
  expect(screen.queryByText(/have stopped/u)).toBeNull();
});

test("a subscription that the browser has ended is said, too", async () => {
  const browser = pushBrowser("granted");
  const { user, own, backend, unmount } = begin("BServerKey");
  await user.click(await screen.findByRole("button", notify));
  await screen.findByRole("button", { name: "Switch off" });
  unmount();
  await browser.unsubscribe();
  renderAt(PAGE, { backend });
  expect(own.push.since).toBeDefined();

  expect(await screen.findByText(/^Notifications on this device have stopped\.$/u)).toBeVisible();
});

test("a test goes to this device, and what became of it is shown", async () => {
  pushBrowser("granted");
  const { user, own } = begin("BServerKey");
  own.tested = { taken: true, outcome: "The server answered with the status 201." };
  await user.click(await screen.findByRole("button", notify));

  await user.click(await screen.findByRole("button", { name: "Send me a test" }));

  expect(await screen.findByText("A test is on its way.")).toBeVisible();
  expect(screen.queryByText(own.tested.outcome)).toBeNull();
});

test("without https or without Web Push it isn't offered", async () => {
  begin("BServerKey").unmount();
  pushBrowser("granted");
  begin(undefined);

  expect(await screen.findByRole("heading", { name: "At once" })).toBeVisible();
  expect(screen.queryByRole("button", notify)).toBeNull();
});

test("a device of theirs that can't be notified any more is shown on another one until it is switched off", async () => {
  const { user } = begin(undefined, "2026-11-24T12:00:00Z");

  expect(await screen.findByText(/^A device of yours gets no notifications since .+\.$/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Switch off" }));

  await waitFor(() => expect(screen.queryByText(/gets no notifications/u)).not.toBeInTheDocument());
});
