import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

afterEach(() => vi.useRealTimers());

test("the start page redirects to the first child's summary", async () => {
  const { path } = renderAt("/");

  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  expect(path()).toBe("/child/1/summary");
});

test("the start page redirects to the selected child's summary", async () => {
  const { router, path } = renderAt("/child/2/transcripts");
  await screen.findByRole("heading", { name: "Transcripts for Noah" });

  await router.navigate("/");

  await waitFor(() => expect(path()).toBe("/child/2/summary"));
});

test("a guardian without children is welcomed and sees that there are none", async () => {
  renderAt("/", { as: "nobody@example.com" });

  expect(await screen.findByRole("heading", { name: "Welcome!" })).toBeVisible();
  expect(
    screen.getByText("No child information available. Please ensure a child is selected or configured."),
  ).toBeVisible();
  expect(screen.getByText("No children profiles found.")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Summary" })).toBeNull();
});

test("while the children load, the selector and the page show a loading state", async () => {
  const backend = new FakeBackend();
  backend.neverAnswered.add("/children");

  renderAt("/", { backend });

  await waitFor(() => expect(screen.getAllByText("Loading children...")).toHaveLength(2));
});

test.each(["/", "/child/1/transcripts"])(
  "a list that fails shows the server's message at %s",
  async (path) => {
    expectLogged(/status 503/u);
    const { user, backend } = renderAt(path, { as: "no-list@example.com" });
    const sentence = "Error: The list of children can't be read right now. Please try again in a minute.";

    expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
    expect(within(screen.getByRole("banner")).getByText(sentence)).toBeVisible();
    expect(screen.queryByRole("combobox")).toBeNull();
    // oxlint-disable-next-line no-console -- read, not written
    expect(console.error).toHaveBeenCalled();

    const family = backend.family("no-list@example.com");
    family.childrenFail = null;
    family.children.push({ child_id: 1, name: "Mia" });
    await user.click(screen.getByRole("button", { name: "Try again" }));

    await waitFor(() => expect(screen.getByRole("combobox", { name: "Child" })).toHaveDisplayValue("Mia"));
  },
);

test("a list that is rejected later clears the page, although the data is cached", async () => {
  expectLogged(/status 403/u);
  const { backend } = renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });

  backend.family("parent@example.com").childrenFail = 403;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  dispatchEvent(new Event("visibilitychange"));

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Error: The list of children can't be read right now.",
  );
  expect(screen.queryByRole("heading", { name: "Metrics Page" })).toBeNull();
});

test("a list that is rejected later clears the selection permanently", async () => {
  expectLogged(/status 403/u);
  const { backend, router, path } = renderAt("/child/2/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await router.navigate("/nowhere");
  await screen.findByRole("heading", { name: "404 - Page Not Found" });
  backend.family("parent@example.com").childrenFail = 403;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  dispatchEvent(new Event("visibilitychange"));
  expect(await screen.findByText(/^Error: The list of children/u)).toBeVisible();

  backend.family("parent@example.com").childrenFail = null;
  dispatchEvent(new Event("visibilitychange"));
  await screen.findByRole("combobox", { name: "Child" });
  await router.navigate("/");

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test("choosing a child changes only the child's part of the address, and keeps the focus", async () => {
  const { user, path } = renderAt("/child/1/transcripts?session=102");
  const selector = await screen.findByRole("combobox", { name: "Child" });

  await user.selectOptions(selector, "Noah");

  expect(await screen.findByRole("heading", { name: "Transcripts for Noah" })).toBeVisible();
  expect(path()).toBe("/child/2/transcripts");
  expect(selector).toHaveDisplayValue("Noah");
  expect(selector).toHaveFocus();
});

test("the chosen name is shown before that child's page has loaded", async () => {
  renderAt("/child/1/transcripts");
  const selector = await screen.findByRole("combobox", { name: "Child" });

  fireEvent.change(selector, { target: { value: "2" } });

  expect(selector).toHaveDisplayValue("Noah");
  expect(await screen.findByRole("heading", { name: "Transcripts for Noah" })).toBeVisible();
  expect(selector).toHaveDisplayValue("Noah");
});

test("outside a child's pages the selector opens the chosen child's summary", async () => {
  const { user, path } = renderAt("/nowhere");

  await user.selectOptions(await screen.findByRole("combobox", { name: "Child" }), "Mia");

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test.each([
  ["summary", "Select a child tab above..."],
  ["activities/completed", "Select a child tab above..."],
  ["metrics", "Select a child tab above..."],
  ["transcripts", "Please select a child from the tabs above."],
  ["context", "Select a child tab above..."],
  ["topic-blocklist", "Select a child tab above..."],
  ["topic-blocklist", "No child selected."],
  ["settings", "Select a child tab above..."],
  ["subscription", "Select a child tab above..."],
])(
  "%s of a child that is not in the list asks to select one, and makes no request",
  async (section, sentence) => {
    const { backend, router } = renderAt("/child/1/subscription");
    await screen.findByRole("heading", { name: "Subscription" });
    const frames = ["/alerts/unseen", "/attention", "/auth/asking_devices", "/household/requests"];
    const ofPage = ["/subscription", "/subscription/push", "/auth/methods"];
    const answered = [...frames, ...ofPage];
    await waitFor(() =>
      expect(answered.map((call) => backend.calls.get(call))).toEqual([1, 1, 1, 1, 1, 1, 1]),
    );
    await waitFor(() => expect(backend.calls.get("/child/{childId}/events")).toBe(1));

    await router.navigate(`/child/404/${section}`);

    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByText("The child of this address is not in your list, or no longer.")).toBeVisible();
    // The page before opened the stream and loaded what the layout shows. App Settings also requests the recovery codes.
    const calls = [...backend.calls.keys()]
      .filter((call) => !["/auth/recovery_codes", "/children/talk_status"].includes(call))
      .toSorted();
    expect(calls).toEqual([...answered, "/auth/token", "/child/{childId}/events", "/children"].toSorted());
    expect(backend.calls.get("/child/{childId}/events")).toBe(1);
    expect(answered.map((call) => backend.calls.get(call))).toEqual([1, 1, 1, 1, 1, 1, 1]);
  },
);

test("an unknown child in the address doesn't change the selection", async () => {
  const { router, path } = renderAt("/child/2/transcripts");
  await screen.findByRole("heading", { name: "Transcripts for Noah" });

  await router.navigate("/child/no-number/transcripts");
  await screen.findByText("Please select a child from the tabs above.");
  await router.navigate("/");

  await waitFor(() => expect(path()).toBe("/child/2/summary"));
});

test("the selector marks who is talking and who has new conversations", async () => {
  const backend = new FakeBackend();
  const family = backend.family("parent@example.com");
  family.children.splice(2, Infinity, { child_id: 3, name: "Zoe" });
  family.sessions.splice(
    0,
    Infinity,
    session(1, 1, 0, [["child", "Why?"]], { ended: false }),
    session(3, 3, 60 * 60_000, [["child", "Why?"]]),
  );
  const { user, router } = renderAt("/child/1/metrics", { backend });
  const selector = await screen.findByRole("combobox", { name: "Child" });
  await user.click(selector);
  await waitFor(() => expect(backend.calls.get("/children/talk_status")).toBe(1));
  expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["Mia", "Noah", "Zoe"]);

  await router.navigate("/child/2/metrics");
  await waitFor(() =>
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual([
      "Mia · talking now",
      "Noah",
      "Zoe",
    ]),
  );
  family.sessions.push(session(4, 3, 0, [["child", "Why not?"]]));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  fireEvent.pointerDown(selector);

  expect(await screen.findByRole("option", { name: "Zoe · new" })).toBeInTheDocument();
});

test("above eight children the selector filters", async () => {
  const backend = new FakeBackend();
  const { children } = backend.family("parent@example.com");
  const names = ["Zoé", "Ida", "Leo", "Max", "Finn", "Emil", "Lina"];
  children.splice(2, Infinity, ...names.map((name, index) => ({ child_id: 11 + index, name })));
  const { user, path } = renderAt("/child/1/metrics", { backend });
  const selector = await screen.findByRole("button", { name: "Child: Mia" });

  await user.click(selector);
  const dialog = within(screen.getByRole("dialog", { name: "Choose a child" }));
  expect(dialog.getAllByRole("listitem")).toHaveLength(9);
  expect(dialog.getByRole("searchbox", { name: "Find a child" })).toHaveFocus();
  await user.keyboard("zoe");
  expect(dialog.getAllByRole("listitem")).toHaveLength(1);
  await user.keyboard("{Enter}");

  await waitFor(() => expect(path()).toBe("/child/11/metrics"));
  expect(await screen.findByRole("button", { name: "Child: Zoé" })).toHaveFocus();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("in the list of many children those with something urgent come first, then those with alerts", async () => {
  const backend = new FakeBackend();
  const { attention, children } = backend.family("parent@example.com");
  for (let id = 11; id < 20; id++) children.push({ child_id: id, name: `Child ${id}` });
  attention.needs.set(14, [{ state: "alert", open_alerts: 2 }]);
  attention.needs.set(17, [{ state: "urgent", open_alerts: 1 }]);
  const { user } = renderAt("/child/1/metrics", { backend });

  await user.click(await screen.findByRole("button", { name: "Child: Mia" }));
  expect(await screen.findByText("please look now")).toHaveClass("text-danger");
  const dialog = within(screen.getByRole("dialog", { name: "Choose a child" }));
  const items = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);

  expect(items.slice(0, 3)).toEqual(["Child 17please look now", "Child 142 alerts", "Mia"]);
  expect(dialog.getByText("2 alerts")).not.toHaveClass("text-danger");
});

test("the filter closes with Escape, and says if no child has the name", async () => {
  const backend = new FakeBackend();
  const { children } = backend.family("parent@example.com");
  for (let id = 11; id < 20; id++) children.push({ child_id: id, name: `Child ${id}` });
  const { user } = renderAt("/child/1/metrics", { backend });
  const selector = await screen.findByRole("button", { name: "Child: Mia" });

  await user.click(selector);
  await user.keyboard("nobody");
  expect(screen.getByText("Nothing was found.")).toHaveRole("status");
  await user.keyboard("{Escape}");

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(selector).toHaveFocus();
});
