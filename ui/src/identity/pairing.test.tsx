import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { deviceName, fromWhere } from "./devices";
import { pass } from "../test/clock";
import { FakeBackend } from "../test/fake-backend";
import { PAIRING_TOKEN, SHOWN_DIGITS } from "../test/fake-backend-pairing";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAIR = `/pair#token=${PAIRING_TOKEN}`;
const ENDED = "This code does not work any more. Please show a new one on the device that is signed in.";

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

function shown(): FakeBackend {
  const backend = new FakeBackend();
  backend.pairing.begin(true);
  return backend;
}

/** Opens the page and requests a code. */
async function showing(backend = new FakeBackend()) {
  const visit = renderAt("/you", { backend });
  const section = within(await screen.findByRole("region", { name: "Sign in another device" }));
  await visit.user.click(section.getByRole("button", { name: "Show a QR code" }));
  await section.findByRole("img", { name: "QR code" });
  return { ...visit, section };
}

test("the scanning device is signed in once its digits are typed", async () => {
  expectLogged(/status 422/u);
  const { user, backend, section } = await showing();
  expect(section.getByRole("heading", { name: "Scan this with the other device" })).toHaveFocus();
  expect(section.getByText(/It works for two minutes/u)).toBeVisible();
  expect(section.getByText(/\/pair#token=par_/u)).toBeVisible();

  backend.pairing.claim();
  await poll();
  expect(
    await section.findByRole("heading", { name: "Firefox on Android has scanned the code" }),
  ).toBeVisible();
  expect(section.getByText(/^Connected from 192\.168\.1\.21, at \d+:\d\d [AP]M\./u)).toBeVisible();
  const field = section.getByRole("textbox", { name: "Type the three digits that it shows" });
  expect(field).toHaveFocus();
  await user.type(field, "123{Enter}");
  expect(await section.findByRole("alert")).toHaveTextContent("The other device shows other digits.");
  await user.clear(field);
  await user.type(field, `${SHOWN_DIGITS}{Enter}`);
  expect(await section.findByText("One moment...", { selector: "[role=status]" })).toBeVisible();

  backend.pairing.refusalOfCompletion();
  backend.family("parent@example.com").signIns.push({
    sign_in_id: "phone",
    via: "pairing",
    device: "Firefox on Android",
    started_at: new Date().toISOString(),
    used_at: new Date().toISOString(),
    current: false,
  });
  await poll();
  await waitFor(() =>
    expect(section.getByRole("heading", { name: "That device is signed in." })).toHaveFocus(),
  );
  expect(screen.getByText(/^From another of your devices\. Since/u)).toBeVisible();
  await user.click(section.getByRole("button", { name: "Done" }));
  expect(section.getByRole("button", { name: "Show a QR code" })).toBeVisible();
});

test("the third wrong attempt invalidates the code, and a new one can be shown", async () => {
  expectLogged(/status 422/u);
  const { user, backend, section } = await showing();
  backend.pairing.claim();
  await poll();
  const field = await section.findByRole("textbox");
  for (const digits of ["111", "222", "333"]) {
    // oxlint-disable-next-line no-await-in-loop -- the attempts are sequential
    await user.type(field, `{Control>}a{/Control}${digits}{Enter}`);
    // oxlint-disable-next-line no-await-in-loop
    await waitFor(() => expect(section.queryByRole("button", { name: "One moment..." })).toBeNull());
  }

  await waitFor(() => expect(section.getByRole("heading", { name: "This code has ended" })).toHaveFocus());
  expect(section.getByText("Wrong digits three times. Please begin again.")).toBeVisible();
  await user.click(section.getByRole("button", { name: "Begin again" }));
  expect(await section.findByRole("img")).toBeVisible();
  expect(backend.pairing.state.state).toBe("waiting");
});

test("an expired code is shown as such, and is no longer polled", async () => {
  const { user, backend, section } = await showing();
  backend.pairing.end();
  await poll();
  expect(await section.findByText(/^Two minutes have passed, or a second device/u)).toBeVisible();
  const calls = backend.calls.get("/auth/pairing");
  await poll();
  await poll();
  expect(backend.calls.get("/auth/pairing")).toBe(calls);

  await user.click(section.getByRole("button", { name: "Close" }));
  expect(section.getByRole("button", { name: "Show a QR code" })).toBeVisible();
});

test("a device that never completes the pairing is not shown as signed in", async () => {
  const { user, backend, section } = await showing();
  backend.pairing.claim();
  await poll();
  await user.type(await section.findByRole("textbox"), `${SHOWN_DIGITS}{Enter}`);
  await section.findByText("One moment...", { selector: "[role=status]" });

  backend.pairing.end();
  await poll();

  expect(await section.findByRole("heading", { name: "This code has ended" })).toBeVisible();
});

test("cancelling invalidates the code", async () => {
  const { user, backend, section } = await showing();
  await user.click(section.getByRole("button", { name: "Cancel" }));

  expect(await section.findByRole("button", { name: "Show a QR code" })).toBeVisible();
  expect(backend.pairing.state.state).toBe("ended");
});

test("showing a code requires step-up", async () => {
  expectLogged(/status 403/u);
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/you", { backend });
  await user.click(await screen.findByRole("button", { name: "Show a QR code" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Recovery code" }));
  await user.type(dialog.getByRole("textbox"), `${backend.stepUp.codes?.[0] ?? ""}{Enter}`);

  expect(await screen.findByRole("img", { name: "QR code" })).toBeVisible();
});

test("the scanning device shows digits only after a button is pressed, and continues once they are typed", async () => {
  const { user, backend, router, path } = renderAt(PAIR, { as: null, backend: shown(), strict: true });
  const button = await screen.findByRole("button", { name: "Sign this device in" });
  await waitFor(() => expect(router.state.location.hash).toBe(""));
  expect(backend.calls.has("/auth/pairing/claim")).toBe(false);
  await user.click(button);

  expect(await screen.findByText("Robin Keller")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Type these digits on the other device" })).toHaveFocus();
  expect(screen.getByText(/^Firefox on Linux has shown the code, from 192\.168\.1\.20, at/u)).toBeVisible();
  expect(screen.getByText("0 4 7")).toBeInTheDocument();
  expect(backend.calls.get("/auth/pairing/claim")).toBe(1);
  await poll();
  expect(screen.getByRole("status")).toHaveTextContent("They work for two minutes.");

  backend.pairing.confirm(SHOWN_DIGITS);
  await poll();
  await waitFor(() => expect(path()).toBe("/child/1/summary"));
  expect(backend.calls.get("/auth/pairing/claim")).toBe(1);
});

test("a code that a second device has scanned shows an error on the first device", async () => {
  expectLogged(/status 422/u);
  const { user, backend, router } = renderAt(PAIR, { as: null, backend: shown() });
  await user.click(await screen.findByRole("button", { name: "Sign this device in" }));
  await screen.findByText("0 4 7");
  backend.pairing.claim();
  await poll();

  expect(await screen.findByRole("alert")).toHaveTextContent(ENDED);
  expect(screen.queryByText("0 4 7")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Begin again" }));
  expect(screen.getByRole("heading", { name: "Sign this device in" })).toHaveFocus();
  expect(screen.getByText(/^Use a signed-in device or a recovery code/u)).toBeVisible();

  // The next code is opened in the same tab.
  await act(async () => router.navigate(`/pair#token=par_${"N".repeat(43)}`));
  expect(await screen.findByRole("button", { name: "Sign this device in" })).toBeVisible();
  await waitFor(() => expect(router.state.location.hash).toBe(""));
});

test("an expired code, and the page without a code, show what to do", async () => {
  expectLogged(/status 422/u);
  const ended = renderAt(PAIR, { as: null });
  await ended.user.click(await screen.findByRole("button", { name: "Sign this device in" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(ENDED);
  await ended.user.click(screen.getByRole("button", { name: "Begin again" }));
  expect(screen.getByText(/^Use a signed-in device or a recovery code/u)).toBeVisible();
  ended.unmount();

  renderAt("/pair", { as: null });
  expect(await screen.findByText(/^Use a signed-in device or a recovery code/u)).toBeVisible();
});

test("a temporarily unreachable server doesn't end the pairing", async () => {
  expectLogged(/can't be reached/u);
  const { user, backend, path } = renderAt(PAIR, { as: null, backend: shown() });
  backend.outOfReach.add("/auth/pairing/claim").add("/auth/pairing/completion");
  await user.click(await screen.findByRole("button", { name: "Sign this device in" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  backend.outOfReach.delete("/auth/pairing/claim");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("0 4 7")).toBeInTheDocument();
  await poll();

  backend.outOfReach.clear();
  backend.pairing.confirm(SHOWN_DIGITS);
  await poll();
  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test("a signed-in guardian is asked first, and signed out", async () => {
  // The next poll may come while the first one's sign-in is under way.
  expectLogged(/status 422/u);
  const { user, backend, path } = renderAt(PAIR, { as: "one@example.com", backend: shown() });
  expect(await screen.findByText("one@example.com")).toBeVisible();
  expect(backend.calls.has("/auth/pairing/claim")).toBe(false);
  await user.click(screen.getByRole("button", { name: "Sign out and go on" }));
  expect(await screen.findByText("0 4 7")).toBeInTheDocument();
  backend.pairing.confirm(SHOWN_DIGITS);
  await poll();

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
  expect(backend.signedInAs).toBe("parent@example.com");
});

test("a signed-in guardian can stay signed in", async () => {
  const { user, backend, path } = renderAt(PAIR, { backend: shown() });
  await user.click(await screen.findByRole("button", { name: "Stay signed in" }));

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
  expect(backend.calls.has("/auth/pairing/claim")).toBe(false);
});

test.each([
  [{ device: "Safari on iPhone", address: "192.168.1.9" }, "Safari on iPhone", /^from 192\.168\.1\.9, at /u],
  [{ address: "fe80::1" }, "An unknown device", /^from fe80::1, at /u],
  [{ device: "Chrome on Windows" }, "Chrome on Windows", /^at \d/u],
])("%j in words", (seen, name, where) => {
  const device = { ...seen, requested_at: "2026-11-21T20:00:00Z" };
  expect(deviceName(device)).toBe(name);
  expect(fromWhere(device)).toMatch(where);
});
