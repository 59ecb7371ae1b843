import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { server } from "../test/server";

const PATH = "/child/1/summary";

function answering(answer: () => Response) {
  server.use(http.get("/api/child/1/summary", answer));
}

async function shownText() {
  const section = await screen.findByRole("region", { name: "Summary as JSON" });
  return section.querySelector("pre")?.textContent.trimEnd();
}

test("the summary is headed with the child's name and shown as formatted raw JSON", async () => {
  const { backend } = renderAt(PATH);

  expect(await screen.findByRole("heading", { level: 1, name: "Summary for Mia" })).toBeVisible();
  const summary = backend.family("parent@example.com").summaries.get(1);
  expect(await shownText()).toBe(JSON.stringify(summary, null, 2));
  expect(document.title).toBe("Summary for Mia · Porchlight");
});

test("while the summary loads the page says so", async () => {
  renderAt("/child/102/summary");

  expect(await screen.findByText("Loading summary for Slow...")).toBeVisible();
});

test.each([["null"], ["{}"], ["[]"], ['""']])("a summary of %s is none", async (body) => {
  renderAt(PATH);
  answering(() => new HttpResponse(body));

  expect(await screen.findByText("No summary data available.")).toBeVisible();
});

test("a failure shows the server's message, is logged, and can be retried", async () => {
  expectLogged(/status 503/u);
  const backend = new FakeBackend();
  const { user } = renderAt("/child/503/summary", { backend });

  const sentence = "Error loading summary: This can't be read right now. Please try again in a minute.";
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(vi.spyOn(console, "error")).toHaveBeenCalledWith(expect.any(Error));
  for (const again of screen.getAllByRole("button", { name: "Try again" })) await user.click(again);

  await waitFor(() => expect(backend.calls.get("/child/{childId}/summary")).toBe(2));
  expect(document.body).not.toHaveFocus();
  expect(await screen.findByText(sentence)).toBeVisible();
});

test("a failure without the server's message shows the default message", async () => {
  expectLogged(/status 502/u);
  renderAt(PATH);
  answering(() => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 }));

  expect(
    await screen.findByText("Error loading summary: An unknown error occurred while fetching the summary."),
  ).toBeVisible();
});

test.each([
  ["a list", [1, "two", [3], { four: 4 }]],
  ["empty values", { a: {}, b: [], c: "", d: null }],
  ["literals", { yes: true, no: false, none: null, nought: 0 }],
  ["quotes and line ends", { 'a "key"': 'a "word"\n\\ \t', "a\\": 1 }],
  ["other scripts", { المزاج: "سعيد", "🌙": "👩‍🚀" }],
])("%s are formatted as JSON", async (_what, summary) => {
  renderAt(PATH);
  answering(() => HttpResponse.json(summary));

  expect(await shownText()).toBe(JSON.stringify(summary, null, 2));
});

test("characters that change the direction of text are written as escapes", async () => {
  const summary = { "a\u202Eb": "c\u2066d" };
  renderAt(PATH);
  answering(() => HttpResponse.json(summary));

  const text = (await shownText()) ?? "";
  expect(text).toContain(String.raw`"a\u202eb": "c\u2066d"`);
  expect(JSON.parse(text)).toEqual(summary);
});

test("the whole JSON can be copied, which is confirmed", async () => {
  const { user, backend } = renderAt(PATH);
  await shownText();

  await user.click(screen.getByRole("button", { name: "Copy" }));

  expect(await screen.findByText("Copied")).toHaveAttribute("role", "status");
  const summary = backend.family("parent@example.com").summaries.get(1);
  expect(await navigator.clipboard.readText()).toBe(JSON.stringify(summary, null, 2));
});

test("if the clipboard is blocked, the text is selected instead", async () => {
  const { user } = renderAt(PATH);
  const text = await shownText();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("Forbidden."));

  await user.click(screen.getByRole("button", { name: "Copy" }));

  expect(await screen.findByText("Selected, ready to copy")).toBeVisible();
  expect(getSelection()?.toString().trim()).toBe(text);
});

test("each string of the JSON is isolated, so that its direction doesn't affect others", async () => {
  renderAt("/child/7/summary", { as: "hostile@example.com" });

  await shownText();

  const json = within(screen.getByRole("region", { name: "Summary as JSON" }));
  expect(json.getByText(/لماذا يتبعنا القمر/u).tagName).toBe("BDI");
  expect(json.getByText(/u202edesrever/u)).toBeVisible();
});
