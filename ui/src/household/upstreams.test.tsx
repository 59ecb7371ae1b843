import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type Upstream, modelNames } from "./upstreams";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";
import { renderAt } from "../test/render-at";

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

/** Opens a page of connecting an app. */
async function openApp(backend: FakeBackend, question = "") {
  const rendered = renderAt(`/child/1/settings/assistants/connect/app${question}`, { backend });
  await screen.findByRole("heading", { name: "Open WebUI or another app" });
  return rendered;
}

test("without a model the page says who adds one, in a sentence that can be sent to them", async () => {
  const { user } = await openApp(backendWith());

  expect(
    await screen.findByText(/the person who looks after Porchlight must add an AI model\.$/u),
  ).toBeVisible();
  expect(screen.getByRole("main")).not.toHaveTextContent("porchlight upstream add");
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(
    screen.getByRole("button", { name: "Send this to the person who looks after Porchlight" }),
  );
  expect(await navigator.clipboard.readText()).toMatch(/^Before Mia can use .* porchlight upstream add\./u);
});

test("an app is connected with the address, the key and the model's name, and its first words are awaited", async () => {
  const { user } = await openApp(backendWith({ ...CLOUD, models: ["large", "small"] }));
  const talksWith = within(await screen.findByRole("group", { name: "Talks with" }));
  const several = talksWith.getByRole("radio", { name: "Several children with one key" });
  expect(talksWith.getAllByRole("radio").at(-1)).toBe(several);
  expect(several).toHaveAccessibleDescription("Each child can use the others' name.");
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.click(several);
  await user.click(screen.getByRole("checkbox", { name: "Noah" }));
  await user.click(screen.getByRole("button", { name: "Go on" }));
  await user.type(await screen.findByRole("textbox"), "Chat");
  expect(
    screen.getByText(
      "Conversations are sent to api.example.org, with your rules and what you wrote about your child.",
    ),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Connect" }));

  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Three steps to connect it" })).toHaveFocus(),
  );
  const copied = async (label: string) => {
    await user.click(screen.getByRole("button", { name: label }));
    return navigator.clipboard.readText();
  };
  expect(await copied("Copy Address:")).toBe("http://192.168.1.20:8080/gateway/v1");
  expect(await copied("Copy Key:")).toBe("ast_key-number-1");
  expect(await copied("Copy Model · Mia:")).toBe("large@Mia");
  await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "small");
  expect(await copied("Copy Model · Noah:")).toBe("small@Noah");
  expect(screen.getByText(/"base URL"/u)).not.toBeVisible();

  const waiting = await screen.findByText("Waiting for the first word…");
  await user.click(screen.getByRole("button", { name: "I've saved the key" }));
  expect(waiting).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Assistants" }));
  expect(await screen.findByText(/^Conversations are sent to/u)).toHaveTextContent(
    "Conversations are sent to api.example.org, with your rules and what you wrote about your child.",
  );
});

test("the chosen server is the one that is used, and Ollama's own address is shown", async () => {
  const { user, backend } = await openApp(backendWith(CLOUD, HOME), "/model");
  await user.click(await screen.findByRole("radio", { name: "Home" }));
  await user.click(screen.getByRole("button", { name: "Go on" }));
  await user.type(await screen.findByRole("textbox"), "Chat");
  expect(screen.getByText(/^Conversations are sent to 127\.0\.0\.1:11434, with/u)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Connect" }));

  expect(await screen.findByText("Model: the model's name as the server knows it")).toBeVisible();
  expect(backend.household.assistants.at(-1)?.upstream).toEqual({ name: "Home", host: "127.0.0.1:11434" });
  await user.click(screen.getByText("Technical details"));
  expect(screen.getByText(/^For Ollama's own form leave out/u).parentElement).toHaveTextContent(
    "For Ollama's own form leave out /v1: http://192.168.1.20:8080/gateway",
  );
});

test("if the server's host has changed meanwhile, nothing is connected and the new host is shown", async () => {
  expectLogged(/status 409/u);
  const { user, backend } = await openApp(backendWith(CLOUD), "/name");
  await user.type(await screen.findByRole("textbox"), "Chat");
  backend.household.upstreams = [{ ...CLOUD, host: "elsewhere.example" }];
  await user.click(screen.getByRole("button", { name: "Connect" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("so nothing was changed");
  expect(await screen.findByText(/^Conversations are sent to elsewhere\.example/u)).toBeVisible();
  expect(backend.household.assistants).toHaveLength(2);
});

test("an app's key is for the one child that was chosen last, and the way back keeps what was answered", async () => {
  const { user, backend } = await openApp(backendWith(CLOUD));
  await user.click(await screen.findByRole("radio", { name: "Noah" }));
  await user.click(screen.getByRole("button", { name: "Go on" }));
  await user.type(await screen.findByRole("textbox"), "Chat");
  await user.click(screen.getByRole("link", { name: "Back" }));
  expect(await screen.findByRole("radio", { name: "Noah" })).toBeChecked();
  await user.click(screen.getByRole("link", { name: "Back" }));
  await user.click(await screen.findByRole("link", { name: "Open WebUI or another app" }));
  expect(await screen.findByRole("radio", { name: "Noah" })).toBeChecked();
  await user.click(screen.getByRole("button", { name: "Go on" }));
  expect(await screen.findByRole("textbox")).toHaveValue("Chat");
  await user.click(screen.getByRole("button", { name: "Connect" }));

  await screen.findByText("ast_key-number-1");
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
    return within(screen.getByRole("dialog", { name: "Change the model's server" }));
  };

  let dialog = await change();
  expect(dialog.getByText(/^Conversations are sent to api\.example\.org, with/u)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(people.getByText(/^Conversations are sent to/u)).toHaveTextContent(
      /api\.example\.org, with your rules/u,
    ),
  );

  dialog = await change();
  await user.selectOptions(dialog.getByRole("combobox"), "None");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(people.queryByText(/^Conversations are sent to/u)).toBeNull());
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
    created_at: "2026-11-20T17:00:00Z",
    children: [1, 2],
    exclusive: true,
    kind: "gateway" as const,
    upstream: { name: "Cloud", host: "api.example.org", ...(suffixes && { suffixes }) },
  };
  expect(modelNames(assistant, siblings, model)).toEqual(names);
});
