import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { rulesOf } from "../test/fake-backend-rules";
import { renderAt } from "../test/render-at";

const pages: [path: string, sentence: string][] = [
  ["summary", "No summary data available."],
  ["activities/completed", "No completed activities yet."],
  ["activities/upcoming", "No upcoming sessions scheduled or recommended."],
  ["metrics", "Charts appear after the first conversation."],
  ["transcripts", "No sessions found."],
  ["alerts", "No alerts so far. You don't watch for any phrase yet; choose some below."],
];

test.each(pages)(
  "the empty page %s leads once to where an assistant is connected",
  async (page, sentence) => {
    const { user, path } = renderAt(`/child/204/${page}`);
    expect(await screen.findByText(sentence)).toBeVisible();

    await user.click(await screen.findByRole("link", { name: "Connect an assistant" }));

    await waitFor(() => expect(path()).toBe("/child/204/settings/assistants"));
  },
);

test.each(pages)("the empty page %s of a child with an assistant doesn't", async (page, sentence) => {
  const backend = new FakeBackend();
  const assistant = { name: "Kitchen", kind: "following" as const };
  backend
    .family("parent@example.com")
    .rules.set(204, rulesOf({ receipts: { number: 1, topics_number: 1, assistants: [assistant] } }));
  const { router } = renderAt("/child/204/summary", { backend });
  // The state of the assistants is known from here on.
  await screen.findByText(/^Not talking/u);

  await router.navigate(`/child/204/${page}`);

  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Connect an assistant" })).toBeNull();
});
