import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type Upstream, modelNames } from "./upstreams";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";

const CLOUD: Upstream = { name: "Cloud", host: "api.example.org", form: "openai", models: ["large"] };
const HOME: Upstream = { name: "Home", host: "127.0.0.1:11434", form: "ollama", models: [] };
const siblings = [
  { child_id: 1, name: "Mia" },
  { child_id: 2, name: "Noah" },
];

function backendWith(...upstreams: Upstream[]): FakeBackend {
  const backend = new FakeBackend();
  backend.household.upstreams = upstreams;
  return backend;
}

test("without a model's server the form says who adds one", async () => {
  const { user, main: people } = await openSettings("settings/assistants");
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));

  expect(people.getByText(/Whoever runs Porchlight adds a model with/u)).toHaveTextContent(
    "porchlight upstream add",
  );
  expect(people.queryByRole("radio")).toBeNull();
});

test("an app is connected with the address, the key and the model's name, and its first words are awaited", async () => {
  const backend = backendWith({ ...CLOUD, models: ["large", "small"] });
  const { user, main: people } = await openSettings("settings/assistants", { backend });
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));
  await user.keyboard("Chat");
  expect(people.queryByText(/What is said goes to/u)).toBeNull();
  await user.click(people.getByRole("radio", { name: "Any app with a base URL" }));
  expect(
    people.getByText(
      "What is said goes to api.example.org, together with the rules and what you told the assistant about your child.",
    ),
  ).toBeVisible();
  const talksWith = within(people.getByRole("group", { name: "Talks with" }));
  const several = talksWith.getByRole("radio", { name: "Several children with one key" });
  expect(talksWith.getAllByRole("radio").at(-1)).toBe(several);
  expect(several).toHaveAccessibleDescription("Each child can use the others' name.");
  expect(people.queryByRole("checkbox")).toBeNull();
  await user.click(several);
  await user.click(people.getByRole("checkbox", { name: "Noah" }));
  await user.click(people.getByRole("button", { name: "Connect" }));

  await waitFor(() => expect(people.getByRole("heading", { name: "The key of Chat" })).toHaveFocus());
  const copied = async (label: string) => {
    await user.click(people.getByRole("button", { name: label }));
    return navigator.clipboard.readText();
  };
  expect(await copied("Copy the address")).toBe("http://192.168.1.20:8080/gateway/v1");
  expect(await copied("Copy the key")).toBe("ast_key-number-1");
  expect(await copied("Copy the model for Mia")).toBe("large@Mia");
  await user.selectOptions(people.getByRole("combobox", { name: "Model" }), "small");
  expect(await copied("Copy the model for Noah")).toBe("small@Noah");

  const waiting = await people.findByText("Waiting for the first word…");
  await user.click(people.getByRole("button", { name: "I've saved the key" }));
  expect(waiting).toBeVisible();
  expect(people.getByText(/^What is said goes to/u)).toHaveTextContent(
    "What is said goes to api.example.org.",
  );
});

test("the chosen server is the one that is used, and Ollama's own address is shown", async () => {
  const {
    user,
    backend,
    main: people,
  } = await openSettings("settings/assistants", { backend: backendWith(CLOUD, HOME) });
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));
  await user.keyboard("Chat");
  await user.click(people.getByRole("radio", { name: "Any app with a base URL" }));
  await user.selectOptions(people.getByRole("combobox", { name: "Which model's server?" }), "Home");
  expect(people.getByText(/^What is said goes to 127\.0\.0\.1:11434, together/u)).toBeVisible();
  await user.click(people.getByRole("button", { name: "Connect" }));

  await people.findByRole("heading", { name: "The key of Chat" });
  expect(backend.household.assistants.at(-1)?.upstream).toEqual({ name: "Home", host: "127.0.0.1:11434" });
  expect(people.getByText(/^For Ollama's own form leave out/u)).toHaveTextContent(
    "For Ollama's own form leave out /v1: http://192.168.1.20:8080/gateway",
  );
  expect(people.getByText("Model: the model's name as the server knows it.")).toBeVisible();
});

test("if the server's host has changed meanwhile, nothing is connected and the new host is shown", async () => {
  expectLogged(/status 409/u);
  const {
    user,
    backend,
    main: people,
  } = await openSettings("settings/assistants", { backend: backendWith(CLOUD) });
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));
  await user.keyboard("Chat");
  await user.click(people.getByRole("radio", { name: "Any app with a base URL" }));
  backend.household.upstreams = [{ ...CLOUD, host: "elsewhere.example" }];
  await user.click(people.getByRole("button", { name: "Connect" }));

  expect(await people.findByRole("alert")).toHaveTextContent("so nothing was changed");
  expect(await people.findByText(/^What is said goes to elsewhere\.example/u)).toBeVisible();
  expect(backend.household.assistants).toHaveLength(2);
});

test("an app's key is for the one child that was chosen last", async () => {
  const {
    user,
    backend,
    main: people,
  } = await openSettings("settings/assistants", { backend: backendWith(CLOUD) });
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));
  await user.keyboard("Chat");
  await user.click(people.getByRole("checkbox", { name: "Noah" }));
  await user.click(people.getByRole("radio", { name: "Any app with a base URL" }));
  await user.click(people.getByRole("radio", { name: "Noah" }));
  await user.click(people.getByRole("button", { name: "Connect" }));

  await people.findByRole("heading", { name: "The key of Chat" });
  expect(backend.household.assistants.at(-1)).toMatchObject({ children: [2], kind: "gateway" });
});

test("an assistant with a plug-in gets no model's server", async () => {
  const { user, main: people } = await openSettings("settings/assistants", {
    backend: backendWith(CLOUD),
  });
  await user.click(people.getByRole("button", { name: "Options for Kitchen" }));

  expect(await people.findByRole("menuitem", { name: "Rename" })).toBeVisible();
  expect(people.queryByRole("menuitem", { name: "Change the model's server" })).toBeNull();
});

test("an app gets a model's server, and none again", async () => {
  const backend = backendWith(CLOUD);
  const [kitchen, ...others] = backend.household.assistants;
  if (kitchen === undefined) throw new Error("There is no assistant.");
  backend.household.assistants = [{ ...kitchen, kind: "gateway" }, ...others];
  const { user, main: people } = await openSettings("settings/assistants", { backend });
  const change = async () => {
    await user.click(people.getByRole("button", { name: "Options for Kitchen" }));
    await user.click(people.getByRole("menuitem", { name: "Change the model's server" }));
    return within(screen.getByRole("dialog", { name: "The model's server of Kitchen" }));
  };

  let dialog = await change();
  expect(dialog.getByText(/^What is said goes to api\.example\.org, together/u)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(people.getByText(/^What is said goes to/u)).toHaveTextContent(/api\.example\.org\.$/u),
  );

  dialog = await change();
  await user.selectOptions(dialog.getByRole("combobox"), "None");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(people.queryByText(/^What is said goes to/u)).toBeNull());
  expect(people.getByText("It gets no answer: no model's server is chosen.")).toBeVisible();
  expect(backend.household.assistants[0]?.upstream).toBeUndefined();
});

test.each([
  [undefined, "m", [{ child: "", text: "m" }]],
  [undefined, null, [{ child: "", text: null }]],
  [
    [
      { child_id: 1, suffix: "@Mia" },
      { child_id: 2, suffix: "@2" },
    ],
    "m",
    [
      { child: "Mia", text: "m@Mia" },
      { child: "Noah", text: "m@2" },
    ],
  ],
  [[{ child_id: 1, suffix: "@Mia" }], null, [{ child: "Mia", text: "@Mia" }]],
])("with the suffixes %j, the names of the model %s are %j", (suffixes, model, names) => {
  const assistant = {
    assistant_id: "asi_chat",
    name: "Chat",
    added_at: "2026-11-20T17:00:00Z",
    children: [1, 2],
    exclusive: true,
    kind: "gateway" as const,
    upstream: { name: "Cloud", host: "api.example.org", ...(suffixes && { suffixes }) },
  };
  expect(modelNames(assistant, siblings, model)).toEqual(names);
});
