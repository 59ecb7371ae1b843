import { waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { type Connection, droppedSettings, partsOf, problemOf, seenAgo, whoReads } from "./connections";
import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { openSettings } from "../test/open-settings";

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
  ["2026-11-20T17:59:30Z", "seen just now"],
  ["2026-11-20T17:59:00Z", "seen 1 minute ago"],
  ["2026-11-20T17:01:00Z", "seen 59 minutes ago"],
  ["2026-11-20T17:00:00Z", "seen 1 hour ago"],
  ["2026-11-19T18:00:00Z", "last seen on that day"],
  ["2026-11-20T18:01:00Z", "seen just now"],
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

test("a new assistant is awaited, what is refused is said, and the stream tells when it was heard", async () => {
  const backend = new FakeBackend();
  backend.opensStreams = true;
  backend.household.others = [{ is_you: false, name: "Robin" }];
  const { user, main: people } = await openSettings("settings/assistants", { backend });
  await user.click(people.getByRole("button", { name: "Connect an assistant" }));
  expect(people.getByText("Robin will read what is said here, too.")).toBeVisible();
  await user.keyboard("Attic{Enter}");
  const status = within(await people.findByRole("region", { name: "Connection of Attic" }));
  expect(status.getByText("Waiting for the first word…")).toBeVisible();
  expect(status.queryByRole("link", { name: "Read what was said" })).toBeNull();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const id = backend.household.assistants.at(-1)?.assistant_id ?? "";

  backend.household.connections = { [id]: { refused: "host", refused_at: "2026-11-20T18:00:00Z" } };
  backend.sendEvents("connections");
  expect(await status.findByRole("alert")).toHaveTextContent(
    /^Something arrived from Attic, but it called Porchlight by a name/u,
  );
  backend.household.connections = { [id]: { heard_at: "2026-11-20T18:00:01Z", seen: ["times"] } };
  backend.sendEvents("connections");

  expect(await status.findByText("was heard ✓", { exact: false })).toBeVisible();
  expect(status.getByRole("link", { name: "Read what was said" })).toHaveAttribute(
    "href",
    "/child/1/transcripts",
  );
  expect(status.queryByRole("alert")).toBeNull();
  await user.click(status.getByText("For its maker: what has worked"));
  expect(status.getByText(/Messages have their own times/u)).toHaveTextContent("seen");
  expect(status.getByText(/A message was corrected/u)).toHaveTextContent("not yet");
});

test("the list says when an assistant was last seen, and whether it uses the current rules", async () => {
  const backend = new FakeBackend();
  const heardAt = new Date().toISOString();
  backend.household.connections = { asi_kitchen: { heard_at: heardAt, follows_rules: true } };
  const { main: people } = await openSettings("settings/assistants", { backend });

  expect(await people.findByText("Seen just now · reports using the current rules ✓")).toBeVisible();
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
  expect(people.getByText("Plug-in 0.1.0")).toBeVisible();
});

test("a new assistant needs no attention before it was heard", async () => {
  const backend = new FakeBackend();
  const rules = rulesOf({
    receipts: { number: 1, topics_number: 1, assistants: [{ name: "Attic", kind: "silent" }] },
  });
  backend.family("parent@example.com").rules.set(1, rules);
  const { user, main } = await openSettings("settings/assistants", { backend });
  await user.click(main.getByRole("button", { name: "Connect an assistant" }));
  await user.keyboard("Attic{Enter}");

  const item = await main.findByText("Attic", { selector: "li bdi" });
  await waitFor(() => expect(item.closest("li")).toHaveTextContent("Not heard yet"));
  expect(main.queryByText("Needs attention")).toBeNull();
});

test("the list says what needs attention, and App Settings how many do", async () => {
  const backend = new FakeBackend();
  const assistants = [
    { name: "Kitchen", kind: "refused" as const, reason: "too long for its model" },
    { name: "Grandma's", kind: "silent" as const },
  ];
  const rules = rulesOf({ receipts: { number: 1, topics_number: 1, assistants } });
  backend.family("parent@example.com").rules.set(1, rules);
  const { main, unmount } = await openSettings("settings/assistants", { backend });

  const [kitchen, grandmas] = await main.findAllByText("Needs attention");
  expect(kitchen?.parentElement).toHaveTextContent(
    "Needs attention · Topic Block List: refused it: too long for its model",
  );
  expect(grandmas?.parentElement).toHaveTextContent("Needs attention · Topic Block List: never connected");
  unmount();

  const settings = await openSettings("settings", { backend });
  const link = settings.main.getByRole("link", { name: /^Assistants/u });
  await waitFor(() => expect(link).toHaveTextContent("2 need attention · Kitchen and Grandma's"));
});
