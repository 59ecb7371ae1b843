import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { SETUP_TOKEN } from "../test/fake-backend-setup";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const WELCOME = `/welcome#setup=${SETUP_TOKEN}`;

/** A backend without a guardian. */
function fresh(): FakeBackend {
  const backend = new FakeBackend();
  backend.setup.open = true;
  return backend;
}

test("the setup creates a household, shows recovery codes and the next steps", async () => {
  const { user, backend, path, router } = renderAt(WELCOME, { as: null, backend: fresh(), strict: true });
  await user.type(await screen.findByRole("textbox", { name: "Your name" }), "Ada");
  expect(path()).toBe("/welcome");
  expect(router.state.location.hash).toBe("");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "new@example.com");
  await user.type(screen.getByRole("textbox", { name: "Your child's name" }), "Mia");
  await user.click(screen.getByRole("button", { name: "Add a child" }));
  expect(screen.getByRole("textbox", { name: "The name of child 2" })).toHaveFocus();
  await user.keyboard("Noah");
  await user.click(screen.getByRole("button", { name: "Add a child" }));
  const howLong = screen.getByRole("combobox", { name: "How long conversations are kept" });
  expect(howLong).toHaveValue("365");
  await user.selectOptions(howLong, "90 days");
  await user.click(screen.getByRole("button", { name: "Go on" }));

  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Keep your recovery codes" })).toHaveFocus(),
  );
  const family = backend.family("new@example.com");
  expect(family.children.map(({ name }) => name)).toEqual(["Mia", "Noah"]);
  expect([family.periods.get(1)?.days, family.periods.get(2)?.days]).toEqual([90, 90]);
  await user.click(screen.getByRole("button", { name: "Make my codes" }));
  expect(await screen.findAllByText(/^K7QX-/u)).toHaveLength(10);
  expect(backend.setup.open).toBe(true);
  await user.click(screen.getByRole("button", { name: "I've saved them" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "Porchlight is set up" })).toHaveFocus());
  expect(backend.setup.open).toBe(false);
  expect(backend.setup.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(screen.getByRole("link", { name: "Open Porchlight" })).toHaveAttribute("href", "/");
  // The test's page is at localhost.
  expect(screen.queryByText(/fixed address/u)).toBeNull();
  expect((await screen.findAllByRole("link", { name: /^A page for/u }))[0]).toHaveAttribute(
    "href",
    "/child/1/for-child",
  );
  backend.household.assistants = [];
  await user.click(screen.getByRole("button", { name: "Connect an assistant" }));
  await waitFor(() => expect(path()).toBe("/child/1/settings/assistants/connect"));
  expect(await screen.findByRole("heading", { name: "What does Mia talk to?" })).toBeVisible();
});

test("the setup asks when each child was born", async () => {
  const { user, backend } = renderAt(WELCOME, { as: null, backend: fresh() });
  await user.type(await screen.findByRole("textbox", { name: "Your name" }), "Ada");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "new@example.com");
  expect(screen.getByRole("group", { name: "When was your child born?" })).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Your child's name" }), "Mia");
  await user.click(screen.getByRole("button", { name: "Add a child" }));
  await user.keyboard("Noah");
  const mia = screen.getByRole("group", { name: "When was Mia born?" });
  expect(mia).toHaveAccessibleDescription(
    "Month and year, optional. Assistants are told 'Mia is 8', so answers can fit. The company behind an assistant learns the age, too.",
  );
  const noah = within(screen.getByRole("group", { name: "When was Noah born?" }));
  const thisYear = new Date().getFullYear();
  await user.selectOptions(noah.getByRole("combobox", { name: "Year" }), String(thisYear - 5));
  await user.click(screen.getByRole("button", { name: "Go on" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Noah: Please choose the month and the year.");
  await user.selectOptions(noah.getByRole("combobox", { name: "Month" }), "January");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Go on" }));

  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Keep your recovery codes" })).toHaveFocus(),
  );
  expect([...backend.family("new@example.com").profiles]).toEqual([
    [1, {}],
    [2, { born: `${thisYear - 5}-01` }],
  ]);
});

test("the setup asks which language each child speaks", async () => {
  const { user, backend } = renderAt(WELCOME, { as: null, backend: fresh() });
  await user.type(await screen.findByRole("textbox", { name: "Your name" }), "Ada");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "new@example.com");
  expect(screen.getByRole("combobox", { name: "Language your child speaks" })).toHaveDisplayValue("Not said");
  await user.type(screen.getByRole("textbox", { name: "Your child's name" }), "Mia");
  await user.click(screen.getByRole("button", { name: "Add a child" }));
  await user.keyboard("Noah");

  await user.selectOptions(screen.getByRole("combobox", { name: "Language Noah speaks" }), "Español");
  await user.click(screen.getByRole("button", { name: "Go on" }));

  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Keep your recovery codes" })).toHaveFocus(),
  );
  expect([...backend.family("new@example.com").profiles]).toEqual([
    [1, {}],
    [2, { language: "es" }],
  ]);
});

test("without e-mail the setup says what the address is for", async () => {
  const backend = fresh();
  backend.sendsEmail = false;
  const { user } = renderAt(WELCOME, { as: null, backend });
  expect(
    await screen.findByText(/^This server sends no emails\. The address tells you apart/u),
  ).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Your name" }), "Ada");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "new@example.com");
  await user.type(screen.getByRole("textbox", { name: "Your child's name" }), "Mia{Enter}");

  expect(await screen.findByText(/^Ten spare codes/u)).toHaveTextContent("Each works once.");
});

test("the link resumes a setup that was interrupted before the codes were saved", async () => {
  const backend = fresh();
  backend.setup.guardian = "parent@example.com";
  const { user } = renderAt(WELCOME, { as: null, backend });

  await user.click(await screen.findByRole("button", { name: "Make my codes" }));
  expect(await screen.findAllByText(/^K7QX-/u)).toHaveLength(10);
});

test("a signed-in browser continues without the link", async () => {
  renderAt("/welcome", { backend: fresh() });

  expect(await screen.findByRole("heading", { name: "Keep your recovery codes" })).toBeVisible();
});

test("after the setup the page redirects a guardian to the start page and others to the login", async () => {
  const first = renderAt("/welcome");
  await waitFor(() => expect(first.path()).toBe("/child/1/summary"));
  first.unmount();

  const { user, path } = renderAt("/welcome", { as: null });
  await user.click(await screen.findByRole("link", { name: "Go to Login" }));
  await waitFor(() => expect(path()).toBe("/login"));
});

test.each([
  ["ended", WELCOME, new FakeBackend()],
  ["of another start", `/welcome#setup=set_${"x".repeat(43)}`, fresh()],
])("a link that is %s shows an error", async (_what, path, backend) => {
  expectLogged(/status 401/u);
  const { user, path: now } = renderAt(path, { as: null, backend });

  expect(await screen.findByRole("alert")).toHaveTextContent("This link does not work any more.");
  await user.click(screen.getByRole("button", { name: "Go to Login" }));
  await waitFor(() => expect(now()).toBe("/login"));
});

test("the server's error is shown below the form, which keeps its input", async () => {
  expectLogged(/status 422/u);
  const { user } = renderAt(WELCOME, { as: null, backend: fresh() });
  await user.type(await screen.findByRole("textbox", { name: "Your name" }), "Nobody");
  await user.type(screen.getByRole("textbox", { name: "Your email address" }), "new@example.com");
  await user.type(screen.getByRole("textbox", { name: "Your child's name" }), "Mia{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent("A name cannot be empty");
  expect(screen.getByRole("textbox", { name: "Your child's name" })).toHaveValue("Mia");
});

test("if the server is unreachable, the link can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = fresh();
  backend.outOfReach.add("/setup/sign_in");
  const { user } = renderAt(WELCOME, { as: null, backend });
  const again = await screen.findByRole("button", { name: "Try again" });

  backend.outOfReach.clear();
  await user.click(again);

  expect(await screen.findByRole("textbox", { name: "Your name" })).toBeVisible();
});

test("before the setup, the login page says where the setup link is", async () => {
  renderAt("/login", { as: null, backend: fresh() });

  expect(await screen.findByText(/is not set up yet/u)).toHaveTextContent("porchlight setup-link");
  expect(screen.getByRole("button", { name: "Send Sign-In Link" })).toBeVisible();
});

test("an address that was only typed is confirmed with the code of an email", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").guardian.email_unverified = true;
  backend.stepUp.steppedUp = false;
  const { user } = renderAt("/you", { backend });
  await user.click(await screen.findByRole("button", { name: "Confirm this address" }));
  await user.click(await screen.findByRole("button", { name: "Send the code" }));
  expect(screen.queryByRole("button", { name: "Recovery code" })).toBeNull();
  await user.type(
    await screen.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  expect(await screen.findByText("The address is confirmed")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Confirm this address" })).toBeNull();
});
