import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

test("the account menu links to the list of sign-ins, where another one can be ended", async () => {
  const { user, backend } = renderAt("/child/1/metrics");
  await user.click(await screen.findByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: /^You / }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "You" })).toHaveFocus());
  const list = within(screen.getByRole("main"));
  const here = (await list.findByText("This device")).closest("li");
  expect(here).not.toBeNull();
  expect(within(here ?? document.body).queryByRole("button")).toBeNull();
  const [first] = list.getAllByRole("button", { name: /^Sign out/u });
  await user.click(first ?? document.body);

  expect(await screen.findByText("That device is signed out.")).toBeVisible();
  await waitFor(() => expect(list.getAllByRole("button", { name: /^Sign out/u })).toHaveLength(1));
  expect(backend.family("parent@example.com").signIns.map(({ sign_in_id }) => sign_in_id)).toEqual([
    "a",
    "c",
  ]);
});

test("ending a sign-in that has already ended shows the server's detail", async () => {
  expectLogged(/status 404/u);
  const { user, backend } = renderAt("/you");
  const [first] = await screen.findAllByRole("button", { name: /^Sign out/u });
  backend.family("parent@example.com").signIns.splice(1, 1);

  await user.click(first ?? document.body);

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "There is nothing here, or it is not yours to see.",
  );
});

test("a list of sign-ins that can't be loaded can be retried", async () => {
  expectLogged(/can't be reached/u);
  const { user, backend } = renderAt("/child/1/metrics");
  backend.outOfReach.add("/auth/sign_ins");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: /^You / }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");

  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("This device")).toBeVisible();
});

test("a new sign-in elsewhere is shown on every page until the guardian acknowledges it", async () => {
  const backend = new FakeBackend();
  const { guardian, signIns } = backend.family("parent@example.com");
  guardian.new_sign_ins = 1;
  Object.assign(signIns[1] ?? {}, { is_new: true, device: "Firefox on Android" });
  const { user } = renderAt("/child/1/metrics", { backend });
  await user.click(await screen.findByRole("link", { name: "Was it you?" }));

  expect(await screen.findByText("Firefox on Android")).toBeVisible();
  expect(screen.getByText("New")).toBeVisible();
  expect(screen.getByText("Somebody signed in as you on another device.")).toBeVisible();
  expect(screen.getByText(/^Through the sign-in provider\. Since/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "It was me" }));

  await waitFor(() => expect(screen.queryByText("New")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Your account" }));
  expect(screen.queryByText(/^Somebody signed in/u)).toBeNull();
});

test("ending the new sign-in removes the notice", async () => {
  const backend = new FakeBackend();
  const { guardian, signIns } = backend.family("parent@example.com");
  guardian.new_sign_ins = 1;
  Object.assign(signIns[1] ?? {}, { is_new: true });
  const { user, router } = renderAt("/you", { backend });
  const [first] = await screen.findAllByRole("button", { name: /^Sign out/u });
  delete guardian.new_sign_ins;
  await user.click(first ?? document.body);
  expect(await screen.findByText("That device is signed out.")).toBeVisible();

  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await waitFor(() => expect(screen.queryByRole("link", { name: "Was it you?" })).toBeNull());
});

test("new recovery codes are shown until dismissed", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").guardian.new_recovery_codes = true;
  backend.stepUp.areNew = true;
  const { user } = renderAt("/child/1/metrics", { backend });
  expect(await screen.findByText(/^New recovery codes were made on another device\./u)).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Was it you?" }));

  expect(await screen.findByText(/^If it was not you, make new recovery codes/u)).toBeVisible();
  expect(screen.queryByText(/^Somebody signed in as you/u)).toBeNull();
  await user.click(screen.getByRole("button", { name: "It was me" }));

  await waitFor(() => expect(screen.queryByText(/^New recovery codes/u)).toBeNull());
});

/** Opens the dialog for signing out everywhere, with recovery codes of this age. */
async function askToSignOut(daysAgo: number, sendsEmail = true) {
  const backend = new FakeBackend();
  backend.sendsEmail = sendsEmail;
  backend.stepUp.madeAt = new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000).toISOString();
  const { user } = renderAt("/child/1/metrics", { backend });
  await user.click(await screen.findByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Sign out everywhere" }));
  const box = await screen.findByRole("checkbox", { name: "End my recovery codes, too" });
  const confirm = screen.getByRole("button", { name: "Sign out everywhere" });
  return { backend, user, box, confirm };
}

test.each([
  [29, true],
  [31, false],
])(
  "signing out everywhere offers to invalidate recovery codes that are %d days old, checked: %s",
  async (days, ticked) => {
    const { backend, user, box, confirm } = await askToSignOut(days);

    expect(box.matches(":checked")).toBe(ticked);
    expect(backend.signedInAs).not.toBeNull();
    await user.click(confirm);

    expect(await screen.findByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
    expect(backend.signedInAs).toBeNull();
    expect(backend.stepUp.codes === null).toBe(ticked);
  },
);

test("at the plain address stands why it is open for a guardian who uses the server's name", async () => {
  const backend = new FakeBackend();
  const { guardian } = backend.family("parent@example.com");
  guardian.unusable_name = { url: "https://blue-lamp.dedyn.io:8443", fault: "leads_elsewhere" };
  renderAt("/child/1/summary", { backend });

  expect(
    await screen.findByText(/https:\/\/blue-lamp\.dedyn\.io:8443, but it leads to another computer now/u),
  ).toBeVisible();
  expect(screen.getByText(/It isn't encrypted/u)).toBeVisible();
});

test("a guardian who signs in at the server's name reads where they have been signed out", async () => {
  const backend = new FakeBackend();
  const { guardian } = backend.family("parent@example.com");
  guardian.signed_out_url = "http://192.168.1.20:8080";
  renderAt("/child/1/summary", { backend });

  expect(
    await screen.findByText(/signed out at http:\/\/192\.168\.1\.20:8080, which isn't encrypted/u),
  ).toBeVisible();
});

test("the dialog says that pending invitations end", async () => {
  await askToSignOut(31);

  expect(screen.getByRole("dialog")).toHaveTextContent("Your pending invitations end.");
});

test("recovery codes stay valid if the checkbox is cleared", async () => {
  const { backend, user, box, confirm } = await askToSignOut(1);
  await user.click(box);
  await user.click(confirm);

  expect(await screen.findByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  expect(backend.signedInAs).toBeNull();
  expect(backend.stepUp.codes).not.toBeNull();
});

test("without e-mail the dialog explains the effect of invalidating the codes, and can be cancelled", async () => {
  const { backend, user } = await askToSignOut(1, false);

  expect(await screen.findByText(/^Without codes, only the person who set up this server/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(backend.signedInAs).not.toBeNull();
});
