import { act, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { changeContextElsewhere, contextOf } from "../test/fake-backend-context";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

function backendWith(text: string, guardians = 1) {
  const backend = new FakeBackend();
  const context = contextOf(text, guardians);
  backend.family("parent@example.com").contexts.set(1, context);
  return { backend, context };
}

const field = async () => screen.findByRole("textbox", { name: "What should the assistant know?" });

test("the context is shown, changed and saved, and the preview follows", async () => {
  const { backend, context } = backendWith("Mia is eight.");
  const { user } = renderAt("/child/1/context", { backend });

  expect(await screen.findByRole("heading", { name: "Context for Mia", level: 1 })).toBeVisible();
  expect(await field()).toHaveValue("Mia is eight.");
  const save = screen.getByRole("button", { name: "Save" });
  expect(save).toHaveAttribute("aria-disabled", "true");
  await user.type(await field(), " She likes bees. 🐝");
  expect(screen.getByText("31 of 4,000 characters")).toBeVisible();
  await user.click(save);

  expect(await screen.findByText("Saved.")).toBeVisible();
  expect(context.text).toBe("Mia is eight. She likes bees. 🐝");
  await user.click(screen.getByText("What the assistant is told"));
  await waitFor(() =>
    expect(screen.getByText(/^You are talking with a child/u)).toHaveTextContent("She likes bees."),
  );
});

test("a text that is too long can't be saved, and says so", async () => {
  const { backend, context } = backendWith("a".repeat(4000));
  const { user } = renderAt("/child/1/context", { backend });

  await user.type(await field(), "b");
  expect(screen.getByText("4,001 of 4,000 characters")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(context.version).toBe(1);
});

test.each([
  ["Save mine", "Mine"],
  ["Take theirs", "Theirs"],
])("after a conflict with another guardian's change, both texts are shown; %s", async (button, kept) => {
  const { backend, context } = backendWith("", 2);
  const { user } = renderAt("/child/1/context", { backend });
  await user.type(await field(), "Mine");
  changeContextElsewhere(context, "Theirs");
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Somebody else changed this text meanwhile.");
  expect(screen.getByRole("alert")).toHaveTextContent("Theirs");
  expect(await field()).toHaveValue("Mine");
  await user.click(screen.getByRole("button", { name: button }));

  await waitFor(() => expect(context.text).toBe(kept));
  expect(await field()).toHaveValue(kept);
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

test("if a text can't be saved over the other guardian's, theirs can still be taken", async () => {
  expectLogged(/can't be reached/u);
  const { backend, context } = backendWith("", 2);
  const { user } = renderAt("/child/1/context", { backend });
  await user.type(await field(), "Mine");
  changeContextElsewhere(context, "Theirs");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Theirs");

  backend.outOfReach.add("/child/{childId}/context");
  await user.click(screen.getByRole("button", { name: "Save mine" }));
  expect(await screen.findByText(/The server can't be reached/u)).toBeVisible();
  expect(await field()).toHaveValue("Mine");
  await user.click(screen.getByRole("button", { name: "Take theirs" }));

  expect(await field()).toHaveValue("Theirs");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByText("Saved.")).toBeNull();
});

test("an unsaved text is kept when the page is left, and a failed save is reported", async () => {
  expectLogged(/can't be reached/u);
  const { backend } = backendWith("");
  const { user, router } = renderAt("/child/1/context", { backend });
  await user.type(await field(), "Mia is eight.");

  await router.navigate("/child/1/metrics");
  expect(
    await screen.findByText("Your last change for Mia is not saved yet.", { exact: false }),
  ).toBeVisible();
  await router.navigate("/child/1/context");
  expect(await field()).toHaveValue("Mia is eight.");
  backend.outOfReach.add("/child/{childId}/context");
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  expect(await field()).toHaveValue("Mia is eight.");
});

function asksBeforeReload() {
  const event = new Event("beforeunload", { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

test.each([
  ["context", "What should the assistant know?"],
  ["topic-blocklist", "A topic of your own"],
  ["settings/times", "Minutes"],
])("/%s asks before a reload would lose unsaved input", async (section, label) => {
  const { user } = renderAt(`/child/1/${section}`, { backend: backendWith("").backend });
  const box = await screen.findByRole("textbox", { name: label });
  expect(asksBeforeReload()).toBe(false);

  await user.type(box, "5");
  expect(asksBeforeReload()).toBe(true);
  await user.keyboard("{Backspace}");

  expect(asksBeforeReload()).toBe(false);
});

test("unsaved input is restored when the guardian signs in again after the sign-in has ended, but not after signing out", async () => {
  const { backend } = backendWith("");
  const { user, path, router } = renderAt("/child/1/context", { backend });
  await user.type(await field(), "Mia is eight.");
  const others = new BroadcastChannel("porchlight-identity");
  const signInElsewhere = async () => {
    await waitFor(() => expect(path()).toBe("/login"));
    backend.signedInAs = "parent@example.com";
    others.postMessage("signed-in");
    await waitFor(() => expect(path()).toBe("/child/1/context"));
  };

  backend.signedInAs = null;
  others.postMessage("signed-in");
  await signInElsewhere();
  expect(await field()).toHaveValue("Mia is eight.");

  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Sign out" }));
  await waitFor(() => expect(path()).toBe("/login"));
  backend.signedInAs = "parent@example.com";
  others.postMessage("signed-in");
  await waitFor(() => expect(path()).not.toBe("/login"));
  await act(() => router.navigate("/child/1/context"));
  expect(await field()).toHaveValue("");
  others.close();
});

test("a context that can't be loaded shows the error and a retry", async () => {
  expectLogged(/can't be reached/u);
  const { backend } = backendWith("Mia is eight.");
  backend.outOfReach.add("/child/{childId}/context");
  const { user } = renderAt("/child/1/context", { backend });

  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await field()).toHaveValue("Mia is eight.");
});

test("the page says that it is shared with other guardians", async () => {
  const { backend } = backendWith("", 2);
  renderAt("/child/1/context", { backend });

  expect(await screen.findByText(/You share this with the child's other guardian\./u)).toBeVisible();
});

/** Opens a page of Mia's; the assistant's complete instructions have this length. */
function openWithInstructions(section: string, length: number) {
  const { backend } = backendWith("");
  renderAt(`/child/1/${section}`, { backend });
  const answer = { number: 1, instructions: "🐝".repeat(length), talk: { allowed: true }, seconds_used: 0 };
  const asked = vi.fn<() => Response>(() => HttpResponse.json(answer));
  server.use(http.get("/api/child/1/rules", asked));
  return asked;
}

test.each(["context", "topic-blocklist"])(
  "/%s warns about more than 8,000 characters of instructions",
  async (section) => {
    openWithInstructions(section, 8001);

    expect(await screen.findByText(/Some assistants refuse more than 8,000/u)).toHaveTextContent(
      "is 8,001 characters long",
    );
  },
);

test.each(["context", "topic-blocklist"])(
  "/%s doesn't warn about 8,000 characters of instructions",
  async (section) => {
    const asked = openWithInstructions(section, 8000);
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await screen.findByText(section === "context" ? /^🐝+$/u : "Grandma's speaker");

    expect(screen.queryByText(/Some assistants refuse/u)).toBeNull();
  },
);
