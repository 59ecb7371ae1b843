import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { CONFIRM_TOKEN, STOP_TOKEN } from "../test/fake-backend-address";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { allAnswered } from "../test/requests";

async function address() {
  const region = await screen.findByRole("region", { name: "Your email address" });
  await within(region).findByText("parent@example.com");
  return within(region);
}

/** A backend with a pending change of the address. */
function asked(answered: boolean): FakeBackend {
  const backend = new FakeBackend();
  backend.address.change = {
    email: "new@example.com",
    requested_at: "2026-11-22T17:00:00Z",
    due_at: "2026-11-23T17:00:00Z",
    answered,
  };
  return backend;
}

test("requesting another address requires step-up, and the pending change is shown", async () => {
  expectLogged(/status 403/u);
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/you", { backend });
  const section = await address();
  await user.click(await section.findByRole("button", { name: "Change your address" }));
  await user.keyboard("new@example.com{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Send the code" }));
  await user.type(
    await dialog.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  expect(await section.findByText(/^We sent an email to new@example\.com\./u)).toBeVisible();
  expect(section.queryByRole("button", { name: "Change your address" })).toBeNull();
});

test("the guardian's current address is rejected beside the field", async () => {
  expectLogged(/status 422/u);
  const { user } = renderAt("/you");
  const section = await address();
  await user.click(await section.findByRole("button", { name: "Change your address" }));
  await user.keyboard("parent@example.com{Enter}");

  expect(await section.findByRole("alert")).toHaveTextContent("This is your address already.");
  await user.click(section.getByRole("button", { name: "Cancel" }));
  expect(section.getByRole("button", { name: "Change your address" })).toBeVisible();
});

test("a confirmed change shows when it takes effect, and is stopped without step-up", async () => {
  const backend = asked(true);
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/you", { backend });
  const section = await address();
  expect(
    await section.findByText(/^It becomes new@example\.com on .*from the email to parent@example\.com\.$/u),
  ).toBeVisible();
  await user.click(section.getByRole("button", { name: "Stop the change" }));

  await waitFor(() => expect(backend.address.change).toBeNull());
  expect(await section.findByRole("button", { name: "Change your address" })).toBeVisible();
});

test("without e-mail the page refers to the administrator", async () => {
  const backend = new FakeBackend();
  backend.sendsEmail = false;
  renderAt("/you", { backend });
  const section = await address();

  expect(await section.findByText(/^This server sends no emails\./u)).toBeVisible();
  expect(section.queryByRole("button", { name: "Change your address" })).toBeNull();
});

test("the email's link confirms a new address only once a person presses", async () => {
  const backend = asked(false);
  const { user, router } = renderAt(`/address#token=${CONFIRM_TOKEN}`, { as: null, backend, strict: true });
  const button = await screen.findByRole("button", { name: "Confirm this address" });
  await waitFor(() => expect(router.state.location.hash).toBe(""));
  expect(backend.address.change?.answered).toBe(false);
  await user.click(button);

  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "The address is confirmed" })).toHaveFocus(),
  );
  expect(backend.address.change?.answered).toBe(true);
});

test("the old address's link stops the change, and links to the sign-ins", async () => {
  const backend = asked(true);
  const { user } = renderAt(`/address#stop=${STOP_TOKEN}`, { as: null, backend });
  await user.click(await screen.findByRole("button", { name: "Stop the change" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "The change is stopped" })).toHaveFocus());
  expect(screen.getByRole("link", { name: "Signed-in devices" })).toHaveAttribute("href", "/you");
  expect(backend.address.change).toBeNull();
});

test("Cancel returns the focus to the button that opened the form", async () => {
  const { user } = renderAt("/you");
  const section = await address();
  await user.click(await section.findByRole("button", { name: "Change your address" }));

  await user.click(section.getByRole("button", { name: "Cancel" }));

  expect(section.getByRole("button", { name: "Change your address" })).toHaveFocus();
});

test("an expired link, and the page without a link, show what to do", async () => {
  expectLogged(/status 422/u);
  const ended = renderAt(`/address#token=${CONFIRM_TOKEN}`, { as: null });
  await ended.user.click(await screen.findByRole("button", { name: "Confirm this address" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("This link does not work any more.");
  ended.unmount();

  renderAt(`/address#token=${STOP_TOKEN.slice(0, -1)}`, { as: null });
  expect(await screen.findByText(/^Copy the whole link from the email/u)).toBeVisible();
});

test("linking an account at the provider requires step-up", async () => {
  const backend = new FakeBackend();
  backend.providerName = "Hearth ID";
  backend.stepUp.canLink = true;
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/you", { backend });
  const section = await address();
  await user.click(await section.findByRole("button", { name: "Link Hearth ID" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Send the code" }));
  await user.type(
    await dialog.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  expect(await section.findByRole("link", { name: "Go to Hearth ID" })).toHaveAttribute(
    "href",
    "/api/auth/oidc/start?step_up=true",
  );
});

test("a linked account is not offered again", async () => {
  const backend = new FakeBackend();
  backend.providerName = "Hearth ID";
  renderAt("/you", { backend });
  const section = await address();
  await section.findByRole("button", { name: "Change your address" });
  await waitFor(() => expect(backend.calls.get("/auth/step_up")).toBe(1));
  await allAnswered();

  expect(section.queryByRole("button", { name: "Link Hearth ID" })).toBeNull();
});
