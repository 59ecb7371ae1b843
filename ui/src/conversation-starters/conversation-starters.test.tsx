import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { renderAt } from "../test/render-at";

const TEXT = "Why does the moon follow our car when we drive?";

/** A family whose first conversation begins with the question. */
function asking(backend = new FakeBackend()) {
  const family = backend.family("parent@example.com");
  const session = family.sessions.find(({ messages }) => messages[0]?.text_content === TEXT);
  const message = session?.messages[0];
  if (session === undefined || message === undefined) throw new Error("there is no such conversation");
  const question = {
    session_id: session.session_id,
    message_id: message.message_id,
    subject: "the moon",
    ranges: [[9, 17]],
  };
  family.curious.questions = [question];
  return { backend, family };
}

test("Summary names the subject, and the words come on a tap", async () => {
  const { backend } = asking();
  const { user } = renderAt("/child/1/summary", { backend });

  const region = await screen.findByRole("region", { name: "Something to talk about" });
  expect(region).toHaveTextContent("Mia was curious about the moon this week.");
  expect(within(region).queryByText("the moon", { selector: "mark" })).toBeNull();
  expect(backend.calls.get("/sessions/{sessionId}/messages")).toBeUndefined();
  await user.click(within(region).getByText(/was curious about/u));

  expect(await within(region).findByText("the moon", { selector: "mark" })).toBeVisible();
  expect(region).toHaveTextContent(TEXT);
  expect(region).toHaveTextContent("Start with the subject. Don't quote Mia.");
});

test("a hidden question leaves, and with the last one the section", async () => {
  const { backend, family } = asking();
  const { user } = renderAt("/child/1/summary", { backend });
  const region = await screen.findByRole("region", { name: "Something to talk about" });

  await user.click(within(region).getByText(/was curious about/u));
  await user.click(within(region).getByRole("button", { name: "Hide the moon" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "Summary for Mia" })).toHaveFocus());
  expect(region).not.toBeInTheDocument();
  expect(family.curious.questions).toEqual([]);
});

test("it is turned off on Summary", async () => {
  const { backend, family } = asking();
  const { user } = renderAt("/child/1/summary", { backend });

  const region = await screen.findByRole("region", { name: "Something to talk about" });
  await user.click(within(region).getByRole("button", { name: "Switch off Something to talk about" }));
  await waitFor(() => expect(screen.getByRole("heading", { name: "Summary for Mia" })).toHaveFocus());
  expect(region).not.toBeInTheDocument();
  expect(family.curious.on).toBe(false);
});

test("the profile turns it on", async () => {
  const { backend, family } = asking();
  family.curious.on = false;
  const { user } = renderAt("/child/1/settings/profile", { backend });

  await user.click(await screen.findByRole("button", { name: "Switch on Something to talk about" }));

  expect(await screen.findByRole("button", { name: "Switch off Something to talk about" })).toBeVisible();
  expect(family.curious.on).toBe(true);
});

test("without a question there is no section", async () => {
  renderAt("/child/1/summary");

  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  await screen.findByText("Raw data");
  expect(screen.queryByText("Something to talk about")).toBeNull();
});
