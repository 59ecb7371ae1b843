import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";
import { renderAt } from "../test/render-at";

const STEPS = "/child/1/settings/assistants/connect/home-assistant/steps?assistant=asi_Attic";

/** Answers what Mia talks to. */
async function openConnecting(what: string, visit: Parameters<typeof renderAt>[1] = {}) {
  const rendered = await openSettings("settings/assistants", visit);
  await rendered.user.click(rendered.main.getByRole("link", { name: "Connect an assistant" }));
  await rendered.user.click(await rendered.main.findByRole("link", { name: what }));
  return rendered;
}

/** Answers the questions after that, up to the key. */
async function nameIt(user: UserEvent, assistant: string) {
  await user.click(await screen.findByRole("button", { name: "Go on" }));
  await waitFor(() =>
    expect(screen.getByRole("textbox", { name: "Name, for example Kitchen" })).toHaveFocus(),
  );
  await user.keyboard(`${assistant}{Enter}`);
}

async function connectAttic() {
  const rendered = await openConnecting("Home Assistant");
  await nameIt(rendered.user, "Attic");
  await rendered.main.findByText("ast_key-number-1");
  return rendered;
}

test("a child is added and can be chosen at the top", async () => {
  const { user, main: people } = await openSettings("settings");

  await user.click(await people.findByRole("button", { name: "Add a child" }));
  expect(people.getByRole("textbox", { name: "Your child's name" })).toHaveFocus();
  await user.keyboard("Tom{Enter}");

  expect(await people.findByText(/^Added Tom\./u)).toBeVisible();
  const selector = within(screen.getByRole("banner")).getByRole("combobox", { name: "Child" });
  expect(within(selector).getByRole("option", { name: "Tom" })).toBeInTheDocument();
});

test("a guardian without a child adds one, and is redirected to its summary", async () => {
  const { user, path } = renderAt("/", { as: "nobody@example.com" });
  await user.click(await screen.findByRole("button", { name: "Add a child" }));
  expect(screen.getByRole("textbox", { name: "Your child's name" })).toHaveFocus();
  await user.keyboard("Tom{Enter}");

  expect(await screen.findByRole("heading", { name: "Summary for Tom" })).toBeVisible();
  expect(path()).toMatch(/^\/child\/\d+\/summary$/u);
});

test("if only administrators manage households, a guardian without a child is told so", async () => {
  const backend = new FakeBackend();
  backend.household.guardiansManage = false;
  renderAt("/", { as: "nobody@example.com", backend });

  expect(await screen.findByText(/the person who set it up adds children/u)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Add a child" })).toBeNull();
});

test("a child is renamed", async () => {
  const { user, main: people } = await openSettings("settings/profile");

  await user.click(people.getByRole("button", { name: "Rename" }));
  const name = people.getByRole("textbox", { name: "Your child's name" });
  expect(name).toHaveValue("Mia");
  await user.clear(name);
  await user.type(name, "Mia Lou{Enter}");

  expect(await screen.findByRole("button", { name: "Rename" })).toBeVisible();
});

test("a child is added with its month of birth and its language", async () => {
  const backend = new FakeBackend();
  const { user, main: people } = await openSettings("settings", { backend });

  await user.click(await people.findByRole("button", { name: "Add a child" }));
  await user.keyboard("Tom");
  const asked = within(people.getByRole("group", { name: "When was your child born?" }));
  await user.selectOptions(asked.getByRole("combobox", { name: "Month" }), "May");
  await user.click(people.getByRole("button", { name: "Add a child" }));
  expect(await people.findByRole("alert")).toHaveTextContent("Please choose the month and the year.");
  await user.selectOptions(asked.getByRole("combobox", { name: "Year" }), "2018");
  await user.selectOptions(people.getByRole("combobox", { name: "Language your child speaks" }), "Deutsch");
  await user.click(people.getByRole("button", { name: "Add a child" }));

  expect(await people.findByText(/^Added Tom\./u)).toBeVisible();
  const family = backend.family("parent@example.com");
  const tom = family.children.find(({ name }) => name === "Tom")?.child_id ?? 0;
  expect(family.profiles.get(tom)).toEqual({ born: "2018-05", language: "de" });
});

test("a rejected name stays in its field, with the reason", async () => {
  expectLogged(/status 422/u);
  const { user, main: people } = await openSettings("settings");
  await user.click(await people.findByRole("button", { name: "Add a child" }));
  await user.keyboard("Nobody{Enter}");

  expect(await people.findByRole("alert")).toHaveTextContent("A name cannot be empty");
  expect(people.getByRole("textbox")).toHaveValue("Nobody");
  await user.click(people.getByRole("button", { name: "Cancel" }));
  expect(people.queryByRole("alert")).toBeNull();
});

test("a home-made speaker is connected: its key is shown once, and Technical details has the lines of its plug-in", async () => {
  const { user, backend, main: people } = await openConnecting("A home-made speaker");
  await user.click(await people.findByRole("link", { name: "Pipecat" }));
  expect(await people.findByRole("checkbox", { name: "Mia" })).toBeChecked();
  await user.click(people.getByRole("checkbox", { name: "Noah" }));
  await nameIt(user, "Attic");

  await waitFor(() => expect(people.getByRole("heading", { level: 1 })).toHaveFocus());
  expect(people.getByRole("heading", { level: 1 })).toHaveTextContent("Three steps to connect it");
  expect(backend.household.assistants.at(-1)).toMatchObject({ children: [1, 2], kind: "plug_in" });
  expect(people.getByText("ast_key-number-1")).toBeVisible();
  expect(people.getByRole("link", { name: "Download the plug-in" })).toHaveAttribute(
    "href",
    "/api/assistant/plugins/pipecat",
  );
  expect(people.getByText("Leave the file there.")).not.toBeVisible();
  const copied = async (label: string | RegExp) => {
    await user.click(people.getByRole("button", { name: label }));
    return navigator.clipboard.readText();
  };
  expect(await copied("Copy Key:")).toBe("ast_key-number-1");
  expect(await people.findByText("Copied")).toBeVisible();
  await user.click(people.getByText("Technical details"));
  expect(people.getByText("Leave the file there.")).toBeVisible();
  expect(people.getByText(/^For Pipecat \(1\.6 and later/u)).toBeVisible();
  expect(await copied("Copy Address:")).toBe("http://192.168.1.20:8080");
  expect(await copied(/^Copy curl/u)).toBe(
    "curl -fOJ http://192.168.1.20:8080/api/assistant/plugins/pipecat",
  );
  expect(await copied(/^Copy PORCHLIGHT_KEY/u)).toBe("PORCHLIGHT_KEY=ast_key-number-1");
  expect(await copied("Copy watch(session)")).toBe("watch(session)");

  await user.click(people.getByRole("button", { name: "I've saved the key" }));
  expect(people.queryByText(/ast_key-number-1/u)).toBeNull();
  expect(document.body).not.toHaveFocus();
  await user.click(people.getByRole("link", { name: "Assistants" }));
  expect(await people.findByText("Attic")).toBeVisible();
});

test("leaving before the key is saved asks first", async () => {
  const { user, path, main: people } = await connectAttic();
  const leave = async () => user.click(screen.getAllByRole("link", { name: "Metrics" })[0] ?? document.body);

  await leave();
  const asked = within(await screen.findByRole("dialog", { name: "Leave without the key?" }));
  await user.click(asked.getByRole("button", { name: "Cancel" }));
  expect(path()).toBe(STEPS);
  expect(people.getByText("ast_key-number-1")).toBeVisible();
  await leave();
  await user.click(
    within(await screen.findByRole("dialog", { name: "Leave without the key?" })).getByRole("button", {
      name: "Leave",
    }),
  );

  await waitFor(() => expect(path()).toBe("/child/1/metrics"));
});

test("after the key is saved the page can be left without a question", async () => {
  const { user, path, main: people } = await connectAttic();
  await user.click(await people.findByRole("button", { name: "I've saved the key" }));

  await user.click(screen.getAllByRole("link", { name: "Metrics" })[0] ?? document.body);

  await waitFor(() => expect(path()).toBe("/child/1/metrics"));
});

test("if the clipboard is blocked, the text to copy is selected instead", async () => {
  const { user, main: people } = await connectAttic();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("Forbidden."));

  await user.click(people.getByRole("button", { name: "Copy Key:" }));

  expect(await people.findByText("Selected, ready to copy")).toBeVisible();
  expect(getSelection()?.toString()).toBe("ast_key-number-1");
});

test("creating a key requires step-up", async () => {
  expectLogged(/status 403/u);
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = false;
  const { user, main: people } = await openConnecting("Home Assistant", { backend });
  await nameIt(user, "Attic");

  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await dialog.findByRole("button", { name: "Send the code" }));
  await user.type(
    await dialog.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  expect(await people.findByText("ast_key-number-1")).toBeVisible();
});

test("a duplicate name is rejected below the form", async () => {
  expectLogged(/status 409/u);
  const { user, main: people } = await openConnecting("Home Assistant");
  await nameIt(user, "Kitchen");

  expect(await people.findByRole("alert")).toHaveTextContent("An assistant named “Kitchen” exists already.");
});

test("an assistant is renamed, gets a new key and is revoked", async () => {
  const { user, main: people } = await openSettings("settings/assistants");
  const change = async (name: string, what: string) => {
    await user.click(people.getByRole("button", { name: `Options for ${name}` }));
    await user.click(people.getByRole("menuitem", { name: what }));
  };

  await change("Kitchen", "Rename");
  const name = people.getByRole("textbox", { name: "Name, for example Kitchen" });
  await user.clear(name);
  await user.type(name, "Hall{Enter}");
  expect(await people.findByText("Hall")).toBeVisible();

  await change("Hall", "Make a new key");
  const asked = within(screen.getByRole("dialog", { name: "Make a new key: Hall" }));
  await user.click(asked.getByRole("button", { name: "Make a new key" }));
  expect(await people.findByText("ast_key-number-1")).toBeVisible();

  await change("Hall", "Disconnect");
  const sure = within(screen.getByRole("dialog", { name: "Disconnect: Hall" }));
  await user.click(sure.getByRole("button", { name: "Disconnect" }));
  await waitFor(() => expect(people.queryByText("Hall")).toBeNull());
});

test("if an assistant also talks with another family's child, only the guardian's own child can be removed from it", async () => {
  const { user, backend, main: people } = await openSettings("settings/assistants");
  expect(people.getByText(/Talks with Mia and Noah, and with a child that is not yours/u)).toBeVisible();
  await user.click(people.getByRole("button", { name: "Options for Grandma's" }));
  expect(people.getAllByRole("menuitem").map((item) => item.textContent)).toEqual([
    "Remove Mia from this assistant",
  ]);
  await user.click(people.getByRole("menuitem", { name: "Remove Mia from this assistant" }));

  const sure = within(screen.getByRole("dialog", { name: "Remove Mia from this assistant: Grandma's" }));
  expect(sure.getByText(/it does so without these rules/u)).toBeVisible();
  await user.click(sure.getByRole("button", { name: "Remove" }));

  await waitFor(() => expect(people.queryByText("Grandma's")).toBeNull());
  expect(backend.household.assistants[1]?.children).toEqual([2]);
});

test("if only administrators manage households, connecting is a sentence that can be sent to them", async () => {
  const backend = new FakeBackend();
  backend.household.guardiansManage = false;
  const { user } = renderAt("/child/1/settings/assistants/connect", { backend });

  const send = await screen.findByRole("button", {
    name: "Send this to the person who looks after Porchlight",
  });
  expect(
    screen.getByText(/^On this server, the person who set it up adds children and connects assistants\.$/u),
  ).toBeVisible();
  expect(screen.queryByText(/porchlight assistant add/u)).toBeNull();
  await user.click(send);

  expect(await navigator.clipboard.readText()).toMatch(
    /^On this server, the person who set it up adds children and connects assistants\. .* porchlight assistant add\./u,
  );
});

test("if only administrators manage households, the page says so and offers no actions", async () => {
  const backend = new FakeBackend();
  backend.household.guardiansManage = false;
  const { main: people } = await openSettings("settings/assistants", { backend });

  expect(people.getByText(/the person who set it up adds children and connects assistants/u)).toBeVisible();
  expect(people.queryAllByRole("button")).toEqual([]);
});

test("a list that can't be loaded can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/household");
  const { user, main } = await openSettings("settings/assistants", { backend });
  const again = await main.findByRole("button", { name: "Try again" });

  backend.outOfReach.clear();
  await user.click(again);

  expect(await main.findByText("Kitchen")).toBeVisible();
});

test.each([
  [[], "You are Mia's only guardian here. Whoever runs this server can read its files."],
  [[{ is_you: false, name: "Ben" }], "You and Ben see Mia's data."],
  [[{ is_you: false }], "You and another guardian see Mia's data."],
  [
    [{ is_you: false, name: "Ben" }, { is_you: false }, { is_you: false, name: " " }],
    "You, Ben, and 2 other guardians see Mia's data.",
  ],
])("the page says who sees the child: %j", async (others, sentence) => {
  const backend = new FakeBackend();
  backend.household.others = others;
  const { main: people } = await openSettings("settings/people", { backend });

  expect(people.getByText(sentence)).toBeVisible();
});

test("the time of the last backup is shown once there is one", async () => {
  const before = await openSettings("settings/profile");
  expect(before.main.queryByText(/The last backup/u)).toBeNull();
  before.unmount();

  const backend = new FakeBackend();
  backend.household.lastBackupAt = "2026-11-22T03:00:00Z";
  const { main: again } = await openSettings("settings/profile", { backend });
  expect(again.getByText(/^The last backup was made on Nov 2[12], \d+:\d\d [AP]M\.$/u)).toBeVisible();
});

test.each([
  ["settings/people", "Invite another guardian"],
  ["settings/profile", "Rename"],
  ["settings", "Add a child"],
  ["settings/profile", "Delete Mia's profile and conversations"],
] as const)("%s: Cancel returns the focus to '%s'", async (page, opener) => {
  const { user, main: people } = await openSettings(page);
  await user.click(await people.findByRole("button", { name: opener }));

  await user.click(people.getByRole("button", { name: "Cancel" }));

  expect(people.getByRole("button", { name: opener })).toHaveFocus();
});

test("Cancel of a form opened by a menu returns the focus to the menu's button", async () => {
  const { user, main: people } = await openSettings("settings/assistants");
  await user.click(people.getByRole("button", { name: "Options for Kitchen" }));
  await user.click(people.getByRole("menuitem", { name: "Rename" }));

  await user.click(people.getByRole("button", { name: "Cancel" }));

  expect(people.getByRole("button", { name: "Options for Kitchen" })).toHaveFocus();
});
