import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { session } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const PARENT = "parent@example.com";
const MINUTE = 60_000;

function backendWithTwo() {
  const backend = new FakeBackend();
  const family = backend.family(PARENT);
  family.children = [
    { child_id: 1, name: "Mia" },
    { child_id: 2, name: "Leo" },
  ];
  family.sessions = [
    session(2, 1, MINUTE, [["child", "Why does lava glow?"]], { topic: "Volcanoes" }),
    session(1, 1, 60 * MINUTE, [["child", "Good night"]], { topic: "Sleep" }),
  ];
  return backend;
}

async function open({ path = "/child/1/transcripts?session=2", backend = backendWithTwo() } = {}) {
  const visit = renderAt(path, { backend });
  await screen.findByText("Why does lava glow?");
  const choose = async (item: string) => {
    await visit.user.click(screen.getByRole("button", { name: "More actions" }));
    await visit.user.click(screen.getByRole("menuitem", { name: item }));
    return within(await screen.findByRole("dialog"));
  };
  return { ...visit, choose };
}

test("a conversation is erased in three taps, removed from the cache, and brought back", async () => {
  expectLogged(/status 404/u);
  const { user, choose, path } = await open();

  const dialog = await choose("Delete");
  expect(dialog.getByText(/Every guardian of/u)).toHaveTextContent("for at least seven days");
  await user.click(dialog.getByRole("button", { name: "Delete" }));

  const bringBack = await screen.findByRole("button", { name: "Restore" });
  const notice = bringBack.closest("[role=status]");
  expect(notice).toHaveTextContent("Volcanoes was deleted.");
  expect(notice).toHaveFocus();
  await waitFor(() => expect(screen.queryByText("Why does lava glow?")).not.toBeInTheDocument());
  expect(screen.queryByRole("link", { name: /Volcanoes/u })).not.toBeInTheDocument();
  expect(path()).toBe("/child/1/transcripts");
  await user.click(bringBack);

  expect(await screen.findByText("Why does lava glow?")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/child/1/transcripts?session=2"));
  await waitFor(() => expect(screen.queryByText(/was deleted/u)).not.toBeInTheDocument());
});

test("a conversation is moved in three taps, and found at the other child's", async () => {
  const { user, choose, path } = await open();

  const dialog = await choose("Move to Leo");
  expect(dialog.getByRole("heading")).toHaveTextContent("Move to Leo");
  await user.click(dialog.getByRole("button", { name: "Move to Leo" }));

  await user.click(await screen.findByRole("link", { name: "Go there" }));
  expect(await screen.findByRole("heading", { name: "Transcripts for Leo" })).toBeInTheDocument();
  expect(path()).toBe("/child/2/transcripts?session=2");
  expect(await screen.findByText("Why does lava glow?")).toBeVisible();
});

test("an error is shown in the dialog, and Escape cancels", async () => {
  expectLogged(/status (?:422|503)/u);
  const backend = backendWithTwo();
  backend.family(PARENT).sessions[0] = session(503, 1, MINUTE, [["child", "Hello"]], { topic: "Stuck" });
  const { user } = renderAt("/child/1/transcripts?session=503", { backend });
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(screen.getByRole("menuitem", { name: "Move to Leo" }));
  const dialog = within(await screen.findByRole("dialog"));

  await user.click(dialog.getByRole("button", { name: "Move to Leo" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("These children have different guardians.");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "More actions" })).toHaveFocus();
});

/** Delays the responses to deletions until the returned function is called. */
function holdErasing() {
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const holding = http.delete("*/api/sessions/2", async () => {
    await held;
    return new HttpResponse(null, { status: 204 });
  });
  server.use(holding);
  return answer;
}

test("while a conversation is being erased the dialog can't be cancelled", async () => {
  const { user, choose } = await open();
  const answer = holdErasing();
  const dialog = await choose("Delete");
  await user.click(dialog.getByRole("button", { name: "Delete" }));

  expect(dialog.getByRole("button", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  fireEvent(screen.getByRole("dialog"), new Event("cancel"));
  await user.click(screen.getByRole("dialog"));
  expect(screen.getByRole("dialog")).toBeVisible();
  answer();

  expect(await screen.findByText(/was deleted/u)).toBeVisible();
});

test("the result is announced even if the event arrives before the response", async () => {
  expectLogged(/status 404/u);
  const backend = backendWithTwo();
  backend.opensStreams = true;
  const { user, choose } = await open({ backend });
  await waitFor(() => expect(backend.openStreams).toBe(1));
  const answer = holdErasing();
  const dialog = await choose("Delete");
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  const family = backend.family(PARENT);
  family.sessions = family.sessions.filter(({ session_id }) => session_id !== 2);
  backend.sendEvents("session 2");
  await screen.findByText(/^This conversation was deleted, or moved/u);

  answer();

  expect(await screen.findByText(/was deleted/u)).toBeVisible();
});

test("if the guardian has left the page, a late response doesn't navigate back", async () => {
  const { user, choose, router, path } = await open();
  const answer = holdErasing();
  const dialog = await choose("Delete");
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await act(() => router.navigate("/child/1/summary"));
  await screen.findByRole("heading", { name: "Summary for Mia" });
  const replaced = vi.spyOn(router, "navigate");

  answer();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await act(async () => new Promise((resolve) => setTimeout(resolve)));

  expect(replaced).not.toHaveBeenCalled();
  expect(path()).toBe("/child/1/summary");
});

test("with one child, moving is not offered", async () => {
  const { user } = renderAt("/child/1/transcripts", { as: "one@example.com" });

  await user.click(await screen.findByRole("button", { name: "More actions" }));

  await waitFor(() => {
    const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(items).toEqual(["Print", "This wasn't Mia", "Keep", "Delete"]);
  });
});

test("'Recently deleted' lists conversations with their dates, brings them back, and erases them permanently", async () => {
  const backend = backendWithTwo();
  const family = backend.family(PARENT);
  family.deleted = family.sessions.map((erased) => ({ session: erased, deleted_at: "2026-11-21T20:00:00Z" }));
  family.sessions = [];
  const { user } = renderAt("/child/1/transcripts", { backend });
  await user.click(await screen.findByRole("link", { name: "Recently deleted" }));
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Recently deleted for Mia" })).toHaveFocus(),
  );
  const sleep = await screen.findByRole("button", { name: "Restore Sleep" });
  expect(screen.getAllByText(/Asked for by/u)[0]).toHaveTextContent(/Asked for by you, on .*until/u);

  await user.click(sleep);
  expect(await screen.findByText("Sleep is restored.")).toBeVisible();
  expect(family.sessions.map(({ topic }) => topic)).toEqual(["Sleep"]);
  await user.click(screen.getByRole("button", { name: "Delete permanently Volcanoes" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Delete permanently" }));

  expect(await screen.findByText("Deleted permanently: Volcanoes")).toBeVisible();
  expect(await screen.findByText("Nothing yet")).toBeVisible();
});

test("with another guardian, erasing permanently is not offered", async () => {
  const backend = backendWithTwo();
  const family = backend.family(PARENT);
  family.mayErase = false;
  family.deleted = family.sessions.map((erased) => ({ session: erased, deleted_at: "2026-11-21T20:00:00Z" }));
  renderAt("/child/1/transcripts/deleted", { backend });

  expect(await screen.findByText(/nobody can delete them permanently before/u)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Delete permanently/u })).not.toBeInTheDocument();
});

test("a copy is downloaded in one tap, and a failure is shown", async () => {
  expectLogged(/status 503/u);
  const saved: string[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  const { user } = renderAt("/child/1/summary", { backend: backendWithTwo() });
  const button = await screen.findByRole("button", { name: "Download Mia's data" });

  expect(screen.getByText(/without what is in 'Recently deleted'/u)).toBeVisible();
  await user.click(button);
  expect(await screen.findByText("The file is in your downloads.")).toBeVisible();
  expect(saved).toEqual(["porchlight-child.json"]);
  const fails = http.get("*/api/child/1/export", () =>
    HttpResponse.json({ detail: "Not now." }, { status: 503 }),
  );
  server.use(fails);
  await user.click(button);

  expect(await screen.findByText("Not now.")).toBeVisible();
  click.mockRestore();
});

test("a session that another guardian has erased is no longer requested, and the page says so until it is restored", async () => {
  expectLogged(/status 404/u);
  const backend = backendWithTwo();
  backend.opensStreams = true;
  const family = backend.family(PARENT);
  renderAt("/child/1/transcripts?session=2", { backend });
  expect(await screen.findByText("Why does lava glow?")).toBeVisible();
  await waitFor(() => expect(backend.openStreams).toBe(1));
  vi.spyOn(console, "error").mockImplementation(() => {});
  const [erased] = family.sessions.splice(0, 1);

  backend.sendEvents("session 2");

  const sentence = "This conversation was deleted, or moved to another child.";
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByText("Why does lava glow?")).not.toBeInTheDocument();
  expect(screen.queryByText("Good night")).not.toBeInTheDocument();
  const asked = () => backend.calls.get("/sessions/{sessionId}");
  const before = asked();
  expect(before).toBeGreaterThan(0);
  const lists = backend.calls.get("/sessions") ?? 0;
  backend.sendEvents("session 2");
  dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(backend.calls.get("/sessions")).toBeGreaterThan(lists));
  expect(asked()).toBe(before);

  if (erased !== undefined) family.sessions.unshift(erased);
  backend.sendEvents("session 2");
  expect(await screen.findByText("Why does lava glow?")).toBeVisible();
});

test("conversations erased by another guardian are reported as shown, once", async () => {
  const backend = backendWithTwo();
  const family = backend.family(PARENT);
  const erased = session(3, 1, MINUTE, [["child", "A secret"]], { topic: "Secrets" });
  family.deleted = [{ session: erased, deleted_at: new Date().toISOString(), unseen: true }];
  renderAt("/child/1/transcripts/deleted", { backend });

  expect(await screen.findByText("Secrets")).toBeVisible();

  await waitFor(() => expect(family.deleted[0]?.unseen).toBe(false));
});
