import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

test("the account menu links to the list of sign-ins, where another one can be ended", async () => {
  const { user, backend } = renderAt("/child/1/metrics");
  await user.click(await screen.findByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Your sign-ins" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "Your sign-ins" })).toHaveFocus());
  const list = within(screen.getByRole("main"));
  const here = (await list.findByText("This browser")).closest("li");
  expect(here).not.toBeNull();
  expect(within(here ?? document.body).queryByRole("button")).toBeNull();
  const [first] = list.getAllByRole("button", { name: /^End the sign-in of/u });
  await user.click(first ?? document.body);

  expect(await screen.findByText("That sign-in has ended.")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("Through the sign-in provider")).toBeNull());
  expect(backend.family("parent@example.com").signIns.map(({ sign_in_id }) => sign_in_id)).toEqual([
    "a",
    "c",
  ]);
});

test("ending a sign-in that has already ended shows the server's detail", async () => {
  expectLogged(/status 404/u);
  const { user, backend } = renderAt("/sign-ins");
  const [first] = await screen.findAllByRole("button", { name: /^End the sign-in of/u });
  backend.family("parent@example.com").signIns.splice(1, 1);

  await user.click(first ?? document.body);

  expect(await screen.findByRole("alert")).toHaveTextContent("This sign-in has already ended.");
});

test("a list of sign-ins that can't be loaded can be tried again", async () => {
  expectLogged(/can't be reached/u);
  const { user, backend } = renderAt("/child/1/metrics");
  backend.outOfReach.add("/auth/sign-ins");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Your sign-ins" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");

  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("This browser")).toBeVisible();
});

test("a sign-in elsewhere is told on every page until the guardian says that it was them", async () => {
  const backend = new FakeBackend();
  const { guardian, signIns } = backend.family("parent@example.com");
  guardian.new_sign_ins = 1;
  Object.assign(signIns[1] ?? {}, { is_new: true, device: "Firefox on Android" });
  const { user } = renderAt("/child/1/metrics", { backend });
  await user.click(await screen.findByRole("link", { name: "Was it you?" }));

  expect(await screen.findByText("Firefox on Android")).toBeVisible();
  expect(screen.getByText("New")).toBeVisible();
  expect(screen.getByText(/^Through the sign-in provider\. Since/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "It was me" }));

  await waitFor(() => expect(screen.queryByText("New")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Your account" }));
  expect(screen.queryByText(/^Somebody signed in/u)).toBeNull();
});

test("when the new sign-in is ended, nothing is new any more", async () => {
  const backend = new FakeBackend();
  const { guardian, signIns } = backend.family("parent@example.com");
  guardian.new_sign_ins = 1;
  Object.assign(signIns[1] ?? {}, { is_new: true });
  const { user, router } = renderAt("/sign-ins", { backend });
  const [first] = await screen.findAllByRole("button", { name: /^End the sign-in of/u });
  delete guardian.new_sign_ins;
  await user.click(first ?? document.body);
  expect(await screen.findByText("That sign-in has ended.")).toBeVisible();

  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await waitFor(() => expect(screen.queryByRole("link", { name: "Was it you?" })).toBeNull());
});

test("new recovery codes are told until they are dismissed", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").guardian.new_recovery_codes = true;
  backend.stepUp.areNew = true;
  const { user } = renderAt("/child/1/metrics", { backend });
  expect(await screen.findByText(/^New recovery codes were made on another device\./u)).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Was it you?" }));

  expect(await screen.findByText(/^New recovery codes were made on another device on/u)).toBeVisible();
  expect(screen.queryByText(/^Somebody signed in as you/u)).toBeNull();
  await user.click(screen.getByRole("button", { name: "It was me" }));

  await waitFor(() => expect(screen.queryByText(/^New recovery codes/u)).toBeNull());
});

/** Opens the dialog for signing out everywhere, with recovery codes of this age. */
async function askToSignOut(daysAgo: number, sendsLetters = true) {
  const backend = new FakeBackend();
  backend.sendsLetters = sendsLetters;
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
  "recovery codes that are %d days old are offered to end with all sign-ins, ticked: %s",
  async (days, ticked) => {
    const { backend, user, box, confirm } = await askToSignOut(days);

    expect(box.matches(":checked")).toBe(ticked);
    expect(backend.signedInAs).not.toBeNull();
    await user.click(confirm);

    await waitFor(() => expect(backend.signedInAs).toBeNull());
    expect(backend.stepUp.codes === null).toBe(ticked);
  },
);

test("the question says that pending invitations end", async () => {
  await askToSignOut(31);

  expect(screen.getByRole("dialog")).toHaveTextContent(
    "Invitations that you sent and that are still pending end, too.",
  );
});

test("recovery codes stay when the tick is taken away", async () => {
  const { backend, user, box, confirm } = await askToSignOut(1);
  await user.click(box);
  await user.click(confirm);

  await waitFor(() => expect(backend.signedInAs).toBeNull());
  expect(backend.stepUp.codes).not.toBeNull();
});

test("without email the question says what ending the codes means, and can be left", async () => {
  const { backend, user } = await askToSignOut(1, false);

  expect(await screen.findByText(/^This server sends no email\./u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(backend.signedInAs).not.toBeNull();
});
