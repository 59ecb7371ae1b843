import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { type Source, questionsAbout, shortTitle, sourceIn, speakerPlugins } from "./connect";
import { FakeBackend } from "../test/fake-backend";
import { renderAt } from "../test/render-at";

const CONNECT = "/child/1/settings/assistants/connect";
const plugins = new FakeBackend().household.view().plugins;
const upstream = { name: "Cloud", host: "api.example.org", form: "openai" as const, models: [] };
const [one, two] = [[1], [1, 2]];

test.each([
  ["app", "app"],
  ["home-assistant", "home-assistant"],
  ["xiaozhi", "toy"],
  ["speaker", "speaker"],
  ["pipecat", "software"],
  ["other", "software"],
  ["nothing", "nothing"],
  ["unknown", undefined],
  [undefined, undefined],
])("the part %s of an address names the source %s", (slug, kind) => {
  expect(sourceIn(slug, plugins)?.kind).toBe(kind);
});

test("a home-made speaker's software is each plug-in without a tile, by its name without versions", () => {
  expect(speakerPlugins(plugins).map(shortTitle)).toEqual(["Pipecat"]);
});

test.each<[Source["kind"], readonly number[], number, readonly string[]]>([
  ["home-assistant", one, 2, ["name"]],
  ["home-assistant", two, 2, ["children", "name"]],
  ["app", one, 1, ["name"]],
  ["app", one, 2, ["model", "name"]],
  ["app", two, 1, ["children", "name"]],
  ["app", two, 2, ["children", "model", "name"]],
])("about %s, for children %j and %i models' servers, it asks %j", (kind, siblings, servers, questions) => {
  const source = sourceIn(kind, plugins);
  if (source === null) throw new Error("There is no such source.");
  const upstreams = Array.from({ length: servers }, () => upstream);
  expect(questionsAbout(source, siblings, { upstreams })).toEqual(questions);
});

test("the link for another computer opens the same page there, and never has the key", async () => {
  const backend = new FakeBackend();
  const { user, unmount, path } = renderAt(`${CONNECT}/home-assistant/name`, { backend });
  await user.type(await screen.findByRole("textbox"), "Attic{Enter}");
  await screen.findByText("ast_key-number-1");
  await user.click(screen.getByText("I'll do this on that computer: send me the link"));
  await user.click(screen.getByRole("button", { name: /^Copy http/u }));
  const link = await navigator.clipboard.readText();
  expect(link).toBe(`http://192.168.1.20:8080${path()}`);
  expect(link).not.toContain("ast_");
  const email = screen.getByRole("link", { name: "Email it to myself" }).getAttribute("href") ?? "";
  expect(decodeURIComponent(email)).toBe(
    `mailto:parent@example.com?subject=Porchlight: Home Assistant&body=${link}`,
  );
  unmount();

  renderAt(new URL(link).pathname + new URL(link).search, { backend });

  expect(await screen.findByText("The key was shown once, when it was made.")).toBeVisible();
  expect(screen.getByText("Waiting for the first word…")).toBeVisible();
  expect(screen.queryByText(/ast_/u)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Make a new key" }));
  expect(await screen.findByText("ast_key-number-2")).toBeVisible();
});

test("an assistant that was heard keeps its key", async () => {
  const backend = new FakeBackend();
  backend.household.connections = { asi_kitchen: { heard_at: new Date().toISOString() } };
  renderAt(`${CONNECT}/home-assistant/steps?assistant=asi_kitchen`, { backend });

  expect(await screen.findByText("was heard ✓", { exact: false })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Make a new key" })).toBeNull();
});

test.each([
  ["home-assistant/steps?assistant=asi_gone", `${CONNECT}/home-assistant`],
  ["app/steps?assistant=asi_kitchen", `${CONNECT}/app`],
  ["unknown", CONNECT],
])("the address %s leads to %s", async (address, where) => {
  const { path } = renderAt(`${CONNECT}/${address}`);

  await waitFor(() => expect(path()).toBe(where));
});

test("with nothing to connect yet the page says what can be done already", async () => {
  const { user } = renderAt(CONNECT);
  await user.click(await screen.findByRole("link", { name: "Nothing yet" }));

  expect(await screen.findByRole("heading", { name: "Nothing yet" })).toHaveFocus();
  expect(screen.getByRole("link", { name: "topics to block" })).toHaveAttribute(
    "href",
    "/child/1/topic-blocklist",
  );
  expect(screen.getByRole("link", { name: "the page for Mia" })).toHaveAttribute(
    "href",
    "/child/1/for-child",
  );
});
