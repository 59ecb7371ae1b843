import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { INVITATION_TOKEN } from "../test/fake-backend-household";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const INVITATION = `/invitation#token=${INVITATION_TOKEN}`;

test("accepting an invitation while signed out creates a guardian", async () => {
  expectLogged(/status 422/u);
  const { user, path, router } = renderAt(INVITATION, { as: null, strict: true });
  expect(await screen.findByText(/invites you to see what a child/u)).toBeVisible();
  expect(path()).toBe("/invitation");
  await waitFor(() => expect(router.state.location.hash).toBe(""));
  expect(screen.getByRole("link", { name: "Sign In" })).toHaveAttribute("href", "/login");
  await user.type(screen.getByRole("textbox", { name: "Your name" }), "Nobody");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "one@example.com");
  await user.click(screen.getByRole("button", { name: "Accept" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("A name cannot be empty");
  await user.clear(screen.getByRole("textbox", { name: "Your name" }));
  await user.type(screen.getByRole("textbox", { name: "Your name" }), "Cleo{Enter}");

  await waitFor(() => expect(screen.getByRole("heading", { name: "You have accepted" })).toHaveFocus());
  expect(screen.getByText(/^You see the child once its other guardians have agreed/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Open Porchlight" }));
  await waitFor(() => expect(path()).toMatch(/^\/child\/\d+\/summary$/u));
});

test("an invitation by e-mail doesn't ask for an address", async () => {
  const backend = new FakeBackend();
  backend.invitedByEmail = true;
  const { user } = renderAt(INVITATION, { as: null, backend });
  await user.type(await screen.findByRole("textbox", { name: "Your name" }), "Cleo");
  expect(screen.queryByRole("textbox", { name: "Your email address" })).toBeNull();
  await user.keyboard("{Enter}");

  expect(await screen.findByRole("heading", { name: "You have accepted" })).toBeVisible();
});

test("while the other guardians have not confirmed, the start page says so", async () => {
  const backend = new FakeBackend();
  backend.invitationWaits = true;
  const { user } = renderAt(INVITATION, { backend, as: "nobody@example.com" });
  await user.click(await screen.findByRole("button", { name: "Accept" }));
  await user.click(await screen.findByRole("button", { name: "Open Porchlight" }));

  expect(await screen.findByRole("heading", { name: "Welcome!" })).toBeVisible();
  expect(await screen.findByText(/^You accepted an invitation today \d/u)).toBeVisible();
});

test("a signed-in guardian accepts with their own account", async () => {
  const { user } = renderAt(INVITATION);
  expect(await screen.findByText(/^Signed in as/u)).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Accept" }));
  await user.click(await screen.findByRole("button", { name: "Open Porchlight" }));

  expect(await screen.findByRole("option", { name: "Zoe" })).toBeInTheDocument();
});

test("signing in first returns to the invitation", async () => {
  const backend = new FakeBackend();
  backend.stepUp.codes = ["K7QX-3M0V-9T2D-HC1A"];
  const { user, path } = renderAt(INVITATION, { as: null, backend });
  await user.click(await screen.findByRole("link", { name: "Sign In" }));
  await user.click(await screen.findByRole("button", { name: "Use a recovery code or a link" }));
  expect(path()).toBe("/login");
  await user.type(
    screen.getByRole("textbox", { name: "Recovery code or copied link" }),
    "K7QX-3M0V-9T2D-HC1A{Enter}",
  );

  expect(await screen.findByText(/^Signed in as/u)).toBeVisible();
  expect(path()).toBe("/invitation");
  expect(screen.getByRole("button", { name: "Accept" })).toBeVisible();
});

test("an expired invitation, and the page without a link, show what to do", async () => {
  expectLogged(/status 422/u);
  const ended = renderAt(`/invitation#token=ivt_${"x".repeat(43)}`, { as: null });
  expect(await screen.findByRole("alert")).toHaveTextContent("Please ask whoever invited you");
  ended.unmount();

  renderAt("/invitation", { as: null });
  expect(await screen.findByText(/^Copy the whole link from the email/u)).toBeVisible();
});
