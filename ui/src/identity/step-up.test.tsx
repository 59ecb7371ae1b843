import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

/** A backend on which the guardian has not stepped up. */
function cautious(): FakeBackend {
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = false;
  return backend;
}

test("a copy asks for the code of an email, and then downloads", async () => {
  expectLogged(/status (?:403|422)/u);
  const saved = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:copy");
  const { user } = renderAt("/child/1/summary", { backend: cautious() });
  await user.click(await screen.findByRole("button", { name: "Download Mia's data" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Send the code" }));
  await user.type(await dialog.findByRole("textbox", { name: "Code from the email" }), "000000{Enter}");
  expect(dialog.getByRole("status")).toHaveTextContent(
    "We sent an email with a code of six digits to parent@example.com",
  );
  expect(await dialog.findByRole("alert")).toHaveTextContent("This code does not work.");
  await user.clear(dialog.getByRole("textbox"));
  await user.type(dialog.getByRole("textbox"), `${EMAILS_CODE}{Enter}`);

  expect(await screen.findByText("The file is in your downloads.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(saved).toHaveBeenCalledOnce();
});

test("cancelling leaves the page as it was", async () => {
  expectLogged(/status 403/u);
  const { user } = renderAt("/child/1/summary", { backend: cautious() });
  await user.click(await screen.findByRole("button", { name: "Download Mia's data" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("without e-mail a recovery code is requested; without codes the dialog refers to the administrator", async () => {
  expectLogged(/status 403/u);
  const backend = cautious();
  backend.stepUp.sendsEmail = false;
  backend.stepUp.codes = ["K7QX-3M0V-9T2D-HC1A"];
  const { user } = renderAt("/you", { backend });
  await user.click(await screen.findByRole("button", { name: "Make new codes" }));
  const code = await screen.findByRole("textbox", { name: "Recovery code" });
  expect(screen.queryByRole("button", { name: "Code from the email" })).toBeNull();
  await user.type(code, "K7QX-3M0V-9T2D-HC1A{Enter}");
  expect(await screen.findAllByText(/^K7QX-3M0V-9T1D/u)).toHaveLength(10);

  backend.stepUp.steppedUp = false;
  backend.stepUp.codes = [];
  await user.click(screen.getByRole("button", { name: "I've saved them" }));
  await user.click(await screen.findByRole("button", { name: "Make new codes" }));
  expect(await screen.findByText(/you have no recovery code left/u)).toBeVisible();
});

test("who has a recovery code may use it instead of an email", async () => {
  expectLogged(/status 403/u);
  const { user } = renderAt("/you", { backend: cautious() });
  await user.click(await screen.findByRole("button", { name: "Make new codes" }));
  await user.click(await screen.findByRole("button", { name: "Recovery code" }));
  expect(await screen.findByRole("textbox", { name: "Recovery code" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Code from the email" }));
  expect(await screen.findByRole("button", { name: "Send the code" })).toBeVisible();
});

test("after the first sign-in a guardian is offered recovery codes, which are shown once", async () => {
  const backend = cautious();
  backend.stepUp.codes = null;
  const token = `lnk_${"A".repeat(43)}`;
  backend.links.set(token, "parent@example.com");
  const { user } = renderAt(`/finish-sign-in#token=${token}`, { backend, as: null });
  await user.type(await screen.findByRole("textbox"), "parent@example.com{Enter}");
  await user.click(await screen.findByRole("link", { name: "Make my codes" }));
  await user.click(await screen.findByRole("button", { name: "Make my codes" }));

  const codes = await screen.findAllByText(/^K7QX-/u);
  expect(codes).toHaveLength(10);
  await user.click(screen.getByRole("button", { name: "I've saved them" }));
  expect(screen.queryByText(/^K7QX-/u)).toBeNull();
  expect(await screen.findByText("10 of 10 recovery codes left")).toBeVisible();
  await user.click(screen.getByRole("link", { name: /Metrics/u }));
  await screen.findByRole("heading", { name: "Metrics Page" });
  expect(screen.queryByRole("link", { name: "Make my codes" })).toBeNull();
});

test("codes are offered after a reload, also after accepting an invitation, until they are saved", async () => {
  const backend = new FakeBackend();
  backend.stepUp.codes = null;
  const first = renderAt("/child/1/settings", { backend });
  await first.user.click(await screen.findByRole("link", { name: "Make my codes" }));
  await first.user.click(await screen.findByRole("button", { name: "Make my codes" }));
  await screen.findAllByText(/^K7QX-/u);
  first.unmount();

  const second = renderAt("/child/1/settings", { backend });
  await second.user.click(await screen.findByRole("link", { name: "Make my codes" }));
  await second.user.click(await screen.findByRole("button", { name: "Make new codes" }));
  await second.user.click(await screen.findByRole("button", { name: "I've saved them" }));
  await second.user.click(screen.getByRole("link", { name: /Metrics/u }));
  await screen.findByRole("heading", { name: "Metrics Page" });
  expect(screen.queryByRole("link", { name: "Make my codes" })).toBeNull();
});

test("a recovery code signs in on the login page", async () => {
  expectLogged(/status 422/u);
  const backend = new FakeBackend();
  const code = backend.stepUp.codes?.[3] ?? "";
  const { user, path } = renderAt("/login", { backend, as: null });
  await user.click(await screen.findByRole("button", { name: "Use a recovery code or a link" }));
  const field = screen.getByRole("textbox", { name: "Recovery code or copied link" });
  expect(field).toHaveFocus();
  await user.type(field, "nonsense{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("This code does not work.");
  await user.clear(field);
  await user.type(field, `${code}{Enter}`);

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
  expect(backend.stepUp.codes).toHaveLength(9);
});

test("a guardian with an account at the provider steps up there, and returns to the page", async () => {
  expectLogged(/status 403/u);
  const backend = cautious();
  backend.stepUp.hasAccount = true;
  backend.providerName = "Hearth ID";
  const { user, unmount } = renderAt("/child/1/summary", { backend });
  await user.click(await screen.findByRole("button", { name: "Download Mia's data" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Sign in with Hearth ID" }));
  expect(dialog.getByRole("status")).toHaveTextContent("Hearth ID asks you to sign in again");
  const link = dialog.getByRole("link", { name: "Go to Hearth ID" });
  expect(link).toHaveAttribute("href", "/api/auth/oidc/start?step_up=true");
  link.addEventListener("click", (event) => event.preventDefault());
  history.replaceState(null, "", "/child/1/summary");
  await user.click(link);
  unmount();

  const { router } = renderAt("/you#step_up=done", { backend });
  expect(await screen.findByText(/^You have confirmed that it is you\./u)).toBeVisible();
  expect(screen.getByRole("link", { name: "Back" })).toHaveAttribute("href", "/child/1/summary");
  await waitFor(() => expect(router.state.location.hash).toBe(""));
});

test("a failed step-up at the provider shows its reason", async () => {
  renderAt("/you#step_up=other_account");

  expect(await screen.findByText(/^That is not the account with which you sign in here\./u)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Back" })).toBeNull();
});

test("an unverified address is verified at the provider, after step-up", async () => {
  const backend = cautious();
  backend.providerName = "Hearth ID";
  backend.sendsEmail = false;
  backend.stepUp.sendsEmail = false;
  backend.family("parent@example.com").guardian.email_unverified = true;
  const { user } = renderAt("/you", { backend });
  expect(await screen.findByText("parent@example.com is not confirmed yet.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Sign in with Hearth ID" }));
  await user.type(
    await screen.findByRole("textbox", { name: "Recovery code" }),
    "K7QX-3M0V-9T0D-HC0A{Enter}",
  );

  expect(await screen.findByRole("link", { name: "Go to Hearth ID" })).toHaveAttribute(
    "href",
    "/api/auth/oidc/start?step_up=true",
  );
});
