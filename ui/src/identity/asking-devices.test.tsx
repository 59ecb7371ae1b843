import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { SHOWN_DIGITS } from "../test/fake-backend-pairing";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { requestsTo } from "../test/requests";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock to the next poll. */
async function poll(): Promise<void> {
  await pass(1500);
}

/** A backend on which the guardian's phone asks to step up. */
function asked(): FakeBackend {
  const backend = new FakeBackend();
  ask(backend);
  return backend;
}

function ask(backend: FakeBackend): void {
  const device = {
    device: "Firefox on Android",
    address: "192.168.1.21",
    requested_at: new Date().toISOString(),
  };
  backend.asking = [{ sign_in_id: "b", device }];
}

async function notice() {
  return within(await screen.findByRole("region", { name: "Is this you?" }));
}

/** Opens the step-up dialog of a guardian who has another device. */
async function stepping(ways: { emails?: boolean; codes?: string[] } = {}) {
  const backend = new FakeBackend();
  Object.assign(backend.stepUp, {
    steppedUp: false,
    hasOtherDevice: true,
    sendsEmail: ways.emails ?? false,
  });
  backend.stepUp.codes = ways.codes ?? [];
  const visit = renderAt("/you", { backend });
  await visit.user.click(await screen.findByRole("button", { name: "Show a QR code" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  return { ...visit, dialog };
}

test("this device steps up once its digits are typed on another device", async () => {
  expectLogged(/status 403/u);
  const { user, backend, dialog } = await stepping();
  expect(await dialog.findByText(/signed in for over a day/u)).toBeVisible();
  const button = dialog.getByRole("button", { name: "Ask my other devices" });
  await user.click(button);
  expect(await dialog.findByText("0 4 7")).toBeInTheDocument();
  expect(button).toHaveFocus();
  await poll();
  expect(dialog.getByText("0 4 7")).toBeInTheDocument();

  backend.stepUp.answer(true);
  await poll();

  expect(await screen.findByRole("img", { name: "QR code" })).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(backend.calls.get("/auth/pairing")).toBeDefined();
});

test("a rejection is shown, and the other devices can be asked again", async () => {
  expectLogged(/status 403/u);
  const { user, backend, dialog } = await stepping();
  await user.click(await dialog.findByRole("button", { name: "Ask my other devices" }));
  await dialog.findByText("0 4 7");
  backend.stepUp.answer(false);
  await poll();

  expect(await dialog.findByText("It was refused, or it took too long. You can ask again.")).toBeVisible();
  expect(dialog.queryByText("0 4 7")).toBeNull();
  const calls = backend.calls.get("/auth/step_up");
  await poll();
  await poll();
  expect(backend.calls.get("/auth/step_up")).toBe(calls);
  await user.click(dialog.getByRole("button", { name: "Try again" }));
  expect(await dialog.findByText("0 4 7")).toBeInTheDocument();
});

test("if the other device is gone, the dialog says so and offers the other methods", async () => {
  expectLogged(/status (?:403|422)/u);
  const { user, backend, dialog } = await stepping({ emails: true, codes: ["K7QX-3M0V-9T2D-HC1A"] });
  await user.click(await dialog.findByRole("button", { name: "Ask my other devices" }));
  expect(dialog.getByRole("button", { name: "Code from the email" })).toBeVisible();
  backend.stepUp.hasOtherDevice = false;
  await user.click(dialog.getByRole("button", { name: "Ask my other devices" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("There is no other device");

  await user.click(dialog.getByRole("button", { name: "Recovery code" }));
  expect(dialog.queryByRole("alert")).toBeNull();
  await user.type(dialog.getByRole("textbox", { name: "Recovery code" }), "K7QX-3M0V-9T2D-HC1A{Enter}");
  expect(await screen.findByRole("img", { name: "QR code" })).toBeVisible();
});

test("a device's step-up request is shown, and confirmed with its digits", async () => {
  expectLogged(/status 422/u);
  const { user, backend } = renderAt("/child/1/metrics", { backend: asked() });
  const region = await notice();
  expect(region.getByText("Firefox on Android asks whether this is you.")).toBeVisible();
  expect(region.getByText(/^Connected from 192\.168\.1\.21, at \d/u)).toBeVisible();
  const field = region.getByRole("textbox", { name: "Type the three digits that it shows" });
  expect(field).not.toHaveFocus();
  await user.type(field, "123{Enter}");
  expect(await region.findByRole("alert")).toHaveTextContent("The other device shows other digits.");
  await user.clear(field);
  await user.type(field, SHOWN_DIGITS);
  await user.click(region.getByRole("button", { name: "It is me" }));

  expect(await region.findByText("Confirmed on your other device.")).toBeVisible();
  await waitFor(() => expect(region.queryByRole("textbox")).toBeNull());
  expect(screen.getByRole("heading", { name: "Metrics Page" })).toHaveFocus();
  expect(backend.asking).toEqual([]);
  await user.click(region.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("region", { name: "Is this you?" })).toBeNull();
});

test("three wrong attempts end the request, and the server's message stays", async () => {
  expectLogged(/status 422/u);
  const { user } = renderAt("/child/1/metrics", { backend: asked() });
  const region = await notice();
  for (const sentence of ["shows other digits", "shows other digits", "three times"]) {
    const field = region.getByRole("textbox");
    // oxlint-disable-next-line no-await-in-loop -- the attempts are sequential
    await user.type(field, `{Control>}a{/Control}999{Enter}`);
    // oxlint-disable-next-line no-await-in-loop
    expect(await region.findByRole("alert")).toHaveTextContent(sentence);
  }

  await waitFor(() => expect(region.queryByRole("textbox")).toBeNull());
  expect(region.getByRole("alert")).toHaveTextContent("three times");
});

test("rejecting a device shows a link to the sign-ins", async () => {
  const { user, backend, path } = renderAt("/child/1/metrics", { backend: asked() });
  const region = await notice();
  await user.click(region.getByRole("button", { name: "It is not me" }));

  expect(await region.findByText(/^It was refused\. Somebody is signed in as you/u)).toBeVisible();
  expect(backend.asking).toEqual([]);
  await user.click(region.getByRole("link", { name: "Signed-in devices" }));
  await waitFor(() => expect(path()).toBe("/you"));
  expect(screen.queryByRole("region", { name: "Is this you?" })).toBeNull();
});

test("a step-up request appears without a reload, at an event and when the page becomes visible", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  // Otherwise all queries are refetched once the stream is open.
  backend.unchangedForMs = Number.MAX_SAFE_INTEGER;
  renderAt("/child/1/metrics", { backend });
  await screen.findByRole("heading", { name: "Metrics Page" });
  await waitFor(() => expect(backend.openStreams).toBe(1));
  await waitFor(() => expect(backend.calls.get("/auth/asking_devices")).toBe(1));
  ask(backend);
  backend.sendEvents("asking_devices");
  await notice();
  backend.asking = [];
  backend.sendEvents("asking_devices");
  await waitFor(() => expect(screen.queryByRole("region", { name: "Is this you?" })).toBeNull());

  ask(backend);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await notice();
});

test("a step-up request expires after two minutes, without polling", async () => {
  // The clock passes the deadline of requests in flight.
  expectLogged(/can't be reached/u);
  const backend = asked();
  backend.opensStreams = true;
  renderAt("/child/1/metrics", { backend });
  await notice();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const calls = requestsTo("/api/auth/asking_devices");
  for (let seconds = 0; seconds < 110; seconds += 10) {
    backend.keepStreams();
    // oxlint-disable-next-line no-await-in-loop -- time passes
    await pass(10_000);
  }
  expect(requestsTo("/api/auth/asking_devices")).toBe(calls);
  backend.asking = [];
  await pass(10_000);

  await waitFor(() => expect(screen.queryByRole("region", { name: "Is this you?" })).toBeNull());
});

test("on the sign-ins page a step-up request appears at an event", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  renderAt("/you", { backend });
  await screen.findByRole("heading", { name: "Signed-in devices" });
  await waitFor(() => expect(backend.openStreams).toBe(1));

  ask(backend);
  backend.sendEvents("asking_devices");

  expect(await screen.findByRole("region", { name: "Is this you?" })).toBeVisible();
});

test("without a child, and therefore without events, a step-up request appears within 15 seconds", async () => {
  const backend = new FakeBackend();
  renderAt("/you", { as: "nobody@example.com", backend });
  await screen.findByRole("heading", { name: "Signed-in devices" });
  await waitFor(() => expect(requestsTo("/asking_devices")).toBe(1));

  ask(backend);
  await pass(15_000);

  expect(await screen.findByRole("region", { name: "Is this you?" })).toBeVisible();
});
