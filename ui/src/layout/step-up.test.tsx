import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

/** A backend on which the guardian has not stepped up. */
function cautious(): FakeBackend {
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = false;
  return backend;
}

test("the question that was answered waits unseen, and is closed with the dialog", async () => {
  expectLogged(/status 403/u);
  const { user } = renderAt("/child/1/settings/profile", { backend: cautious() });
  await user.click(await screen.findByRole("radio", { name: "90 days" }));
  const question = within(await screen.findByRole("dialog", { name: /^Keep them/u }));
  await user.click(question.getByRole("button", { name: "Keep them for 90 days" }));

  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  expect(screen.getAllByRole("dialog")).toEqual([dialog]);
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("radio", { name: "90 days" })).not.toBeChecked();
});

test("who leaves the page doesn't step up for it", async () => {
  expectLogged(/status 403/u);
  const backend = cautious();
  const { user, router } = renderAt("/child/1/summary", { backend });
  await user.click(await screen.findByRole("button", { name: "Download Mia's data" }));
  await screen.findByRole("dialog", { name: "Confirm that it is you" });

  await router.navigate("/child/1/metrics");

  await screen.findByRole("heading", { name: "Metrics Page" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(backend.calls.get("/child/{childId}/export")).toBe(1);
});
