import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type Connection, droppedSettings, partsOf, problemOf, seenAgo, whoReads } from "./connections";
import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { openSettings } from "../test/open-settings";
import { renderAt } from "../test/render-at";

const connection: Connection = { assistant_id: "asi_1", follows_rules: false, seen: [] };

test("a problem is over once a later delivery was fine", () => {
  const refused = { refused: "child", refused_at: "2026-11-20T18:00:05Z" } as const;

  expect(problemOf(connection)).toBeNull();
  expect(problemOf({ ...connection, ...refused })).toMatch(/^it named a child/u);
  expect(problemOf({ ...connection, ...refused, heard_at: "2026-11-20T18:00:05Z" })).not.toBeNull();
  expect(problemOf({ ...connection, ...refused, heard_at: "2026-11-20T18:00:06Z" })).toBeNull();
});

test("settings that aren't passed on are counted", () => {
  const sentence = (count: number) =>
    droppedSettings("Open WebUI", { ...connection, settings_dropped: count });

  expect(droppedSettings("Open WebUI", connection)).toBeNull();
  expect(sentence(1)).toBe("Open WebUI sent 1 setting that Porchlight doesn't pass on.");
  expect(sentence(2)).toBe("Open WebUI sent 2 settings that Porchlight doesn't pass on.");
});

test.each([
  ["2026-11-20T17:59:30Z", "last seen now"],
  ["2026-11-20T17:59:00Z", "last seen 1 minute ago"],
  ["2026-11-20T17:01:00Z", "last seen 59 minutes ago"],
  ["2026-11-20T17:00:00Z", "last seen on that day"],
  ["2026-11-19T18:00:00Z", "last seen on that day"],
  ["2026-11-20T18:01:00Z", "last seen now"],
])("an assistant heard at %s was %s", (heardAt, expected) => {
  expect(seenAgo(heardAt, new Date("2026-11-20T18:00:00Z"), () => "on that day")).toBe(expected);
});

test.each([
  [[1], [], null],
  [[1], [{ name: "Robin" }], "Robin will read what is said here, too."],
  [[2], [{ name: "Robin" }], null],
  [[1], [{}], "Another guardian will read what is said here, too."],
  [[1, 2], [{ name: "Robin" }, {}, {}], "Robin and 2 other guardians will read what is said here, too."],
])("who reads along, for children %j with others %j", (chosen, others, sentence) => {
  const authors = others.map((other) => ({ is_you: false, ...other }));
  const all = [
    { child_id: 1, guardians: [{ is_you: true, name: "Ada" }, ...authors] },
    { child_id: 2, guardians: [{ is_you: true, name: "Ada" }] },
  ];

  expect(whoReads(chosen, all)).toBe(sentence);
});

test("a step's lines of code stand in backticks", () => {
  expect(partsOf("Add one line: `watch(session)`")).toEqual([
    { text: "Add one line: ", isCode: false },
    { text: "watch(session)", isCode: true },
  ]);
});

test("a new assistant is awaited, what is refused is said, and once heard it leads into the conversation", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  backend.household.others = [{ is_you: false, name: "Robin" }];
  backend.family("parent@example.com").rules.set(1, silentAttic());
  const { user, path } = renderAt("/child/1/settings/assistants/connect/home-assistant/name", { backend });
  await screen.findByRole("banner");
  await screen.findByRole("heading", { name: "Home Assistant" });
  expect(await screen.findByText("Robin will read what is said here, too.")).toBeVisible();
  await user.type(screen.getByRole("textbox"), "Attic{Enter}");
  const status = within(await screen.findByRole("region", { name: "Attic" }));
  expect(status.getByText("Waiting for the first word…")).toBeVisible();
  expect(status.queryByRole("link")).toBeNull();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const id = backend.household.assistants.at(-1)?.assistant_id ?? "";

  backend.household.connections = { [id]: { refused: "host", refused_at: "2026-11-20T18:00:00Z" } };
  backend.sendEvents("connections");
  expect(await status.findByRole("alert")).toHaveTextContent(/^Attic: it called Porchlight by a name/u);
  const [newest, opened, session] = backend.family("parent@example.com").sessions;
  if (newest === undefined || opened === undefined || session === undefined)
    throw new Error("There are too few sessions.");
  // Another assistant of the same name, and a conversation without words.
  Object.assign(newest, { assistant: "Attic", assistant_id: "asi_other" });
  Object.assign(opened, { assistant: "Attic", assistant_id: id, messages: [] });
  Object.assign(session, { assistant: "Attic", assistant_id: id });
  backend.household.connections = { [id]: { heard_at: "2026-11-20T18:00:01Z", seen: ["times"] } };
  backend.sendEvents("connections");

  expect(await status.findByText("was heard ✓", { exact: false })).toBeVisible();
  expect(status.queryByRole("alert")).toBeNull();
  await waitFor(() =>
    expect(status.getByText(/doesn't have/u)).toHaveTextContent("Attic doesn't have your topics yet."),
  );
  expect(screen.queryByText("Needs attention")).toBeNull();
  await user.click(screen.getByText("Technical details"));
  expect(screen.getByText(/Messages have their own times/u)).toHaveTextContent("✓");
  expect(screen.getByText(/A message was corrected/u)).toHaveTextContent("not heard yet");

  // The key wasn't marked as saved, and that isn't asked.
  const conversation = `/child/1/transcripts?session=${session.session_id}`;
  await waitFor(() =>
    expect(status.getByRole("link", { name: "Read what was said" })).toHaveAttribute("href", conversation),
  );
  await user.click(status.getByRole("link", { name: "Read what was said" }));
  await waitFor(() => expect(path()).toBe(conversation));
});

function silentAttic() {
  return rulesOf({
    receipts: { number: 1, topics_number: 1, assistants: [{ name: "Attic", kind: "silent" }] },
  });
}

test("the list says when an assistant was last seen, and whether it uses the current rules", async () => {
  const backend = new FakeBackend();
  const heardAt = new Date().toISOString();
  backend.household.connections = { asi_kitchen: { heard_at: heardAt, follows_rules: true } };
  const { main: people } = await openSettings("settings/assistants", { backend });

  expect(await people.findByText("Last seen now · reports using the current rules ✓")).toBeVisible();
  expect(people.getByText("Not heard yet")).toBeVisible();
});

test("the list says how many settings aren't passed on", async () => {
  const backend = new FakeBackend();
  backend.household.connections = { asi_kitchen: { settings_dropped: 2 } };
  const { main: people } = await openSettings("settings/assistants", { backend });

  expect(await people.findByText("Kitchen sent 2 settings that Porchlight doesn't pass on.")).toBeVisible();
  expect(people.getAllByText(/doesn't pass on/u)).toHaveLength(1);
});

test("the list says which plug-in is an older one, and where the newer one is", async () => {
  const backend = new FakeBackend();
  const plugin = { name: "home-assistant", version: "0.0.9", current_version: "0.1.0", is_older: true };
  const current = { name: "livekit", version: "0.1.0", current_version: "0.1.0", is_older: false };
  backend.household.connections = { asi_kitchen: { plugin }, asi_shared: { plugin: current } };
  const { main: people } = await openSettings("settings/assistants", { backend });

  expect(await people.findByText(/^An older plug-in, 0\.0\.9\./u)).toBeVisible();
  expect(people.getByRole("link", { name: "Download 0.1.0" })).toHaveAttribute(
    "href",
    "/api/assistant/plugins/home-assistant",
  );
  expect(people.queryByText(/Plug-in 0\.1\.0/u)).toBeNull();
});

test("a new assistant that was heard but refused the list doesn't contradict itself", async () => {
  const backend = new FakeBackend();
  const [kitchen] = backend.household.assistants;
  if (kitchen === undefined) throw new Error("There is no assistant.");
  backend.household.connections = { [kitchen.assistant_id]: { heard_at: "2026-11-20T18:00:01Z" } };
  const assistants = [{ name: kitchen.name, kind: "refused" as const }];
  const rules = rulesOf({ receipts: { number: 1, topics_number: 1, assistants } });
  backend.family("parent@example.com").rules.set(1, rules);
  renderAt(`/child/1/settings/assistants/connect/home-assistant/steps?assistant=${kitchen.assistant_id}`, {
    backend,
  });

  const status = within(await screen.findByRole("region", { name: kitchen.name }));
  expect((await status.findByText(/couldn't take/u)).parentElement).toHaveTextContent(
    `${kitchen.name} couldn't take your list`,
  );
  expect(status.getByText("was heard ✓", { exact: false })).toBeVisible();
  expect(status.queryByText(/attention/iu)).toBeNull();
});

test("a new assistant needs no attention before it was heard, and the list leads to its steps", async () => {
  const backend = new FakeBackend();
  const [kitchen] = backend.household.assistants;
  if (kitchen === undefined) throw new Error("There is no assistant.");
  backend.household.assistants = [{ ...kitchen, name: "Attic" }];
  backend.family("parent@example.com").rules.set(1, silentAttic());
  const { user, path, main } = await openSettings("settings/assistants", { backend });

  expect(await main.findByText("Not heard yet")).toBeVisible();
  expect(main.queryByText("Needs attention")).toBeNull();
  expect(main.queryByText(/doesn't have/u)).toBeNull();
  await user.click(main.getByRole("link", { name: "Show the steps" }));
  await main.findByRole("heading", { name: "What does Mia talk to?" });
  // An assistant with a plug-in can't be an app, or nothing.
  const kinds = (await main.findAllByRole("listitem")).map((item) => item.textContent);
  expect(kinds).toEqual(["Home Assistant", "A home-made speaker", "A toy with xiaozhi"]);
  await user.click(main.getByRole("link", { name: "A toy with xiaozhi" }));

  expect(await main.findByText("Waiting for the first word…")).toBeVisible();
  expect(path()).toBe("/child/1/settings/assistants/connect/xiaozhi/steps?assistant=asi_kitchen");
});

test("the list says what needs attention, and App Settings how many do", async () => {
  const backend = new FakeBackend();
  const assistants = [
    { name: "Kitchen", kind: "refused" as const, reason: "too long for its model" },
    { name: "Grandma's", kind: "silent" as const },
  ];
  const rules = rulesOf({ receipts: { number: 1, topics_number: 1, assistants } });
  backend.family("parent@example.com").rules.set(1, rules);
  backend.household.connections = { asi_shared: { heard_at: new Date().toISOString() } };
  const { main, unmount } = await openSettings("settings/assistants", { backend });

  expect((await main.findByText(/couldn't take/u)).parentElement).toHaveTextContent(
    "Kitchen couldn't take your list: too long for its model",
  );
  expect(main.getByText(/doesn't have/u)).toHaveTextContent("Grandma's doesn't have your topics yet.");
  unmount();

  const settings = await openSettings("settings", { backend });
  const link = settings.main.getByRole("link", { name: /^Assistants/u });
  await waitFor(() =>
    expect(link).toHaveTextContent(
      "1 needs attention · 1 hasn't confirmed your topics · Kitchen and Grandma's",
    ),
  );
});
