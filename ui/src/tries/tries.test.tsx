import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { expectAccessible } from "../test/axe";
import { FakeBackend } from "../test/fake-backend";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { type FakeTries, answered, elsewhere, tablet, triesIn, tryOf } from "../test/fake-backend-tries";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/topic-blocklist/try";
const AS = "tries@example.com";

/** Opens a page with the tries of Mia that `prepare` makes. */
async function open(prepare: (mias: FakeTries, backend: FakeBackend) => void, path = PAGE) {
  const backend = new FakeBackend();
  backend.stepUp.steppedUp = true;
  const mias = triesIn(backend.family(AS), 1);
  mias.all = [];
  prepare(mias, backend);
  const rendered = renderAt(path, { backend, as: AS });
  await screen.findByRole("heading", {
    level: 1,
    name: path === PAGE ? "Try your rules" : "Questions and answers",
  });
  await waitFor(() => expect(screen.queryByText("Loading...")).toBeNull());
  return { ...rendered, mias };
}

const start = () => screen.findByRole("button", { name: "Ask Tablet now" });
const answers = () => screen.getByRole("region", { name: "Read the answers" });
const items = () => within(answers()).getAllByRole("listitem");

test("the link stands beside the topics", async () => {
  const { user, path } = renderAt("/child/1/topic-blocklist");

  await user.click(await screen.findByRole("link", { name: "Try your rules" }));

  await waitFor(() => expect(path()).toBe(PAGE));
});

test("without an assistant behind the gateway it says why there is nothing to try, and what to do", async () => {
  await open((_mias, backend) => {
    backend.family(AS).behindGateway = [];
  });

  expect(screen.getByText(/^There is nothing to try yet: no assistant here reaches its AI/u)).toBeVisible();
  expect(screen.getByRole("link", { name: "Connect an assistant" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Ask/u })).toBeNull();
  await expectAccessible();
});

test("before it starts it says how many requests and tokens, and where they go; then it waits, and says no more", async () => {
  expectLogged(/status 403/u);
  const { user, mias, path } = await open((_mias, backend) => {
    backend.stepUp.steppedUp = false;
  });
  const button = await start();
  expect(screen.getByText("6 requests, about 9,000 tokens.")).toBeVisible();
  expect(
    screen.getByText(/llama3\.1:8b at 192\.168\.1\.5:11434\. It seems to run in your home\./u),
  ).toBeVisible();
  expect(screen.queryByRole("radio")).toBeNull();
  await expectAccessible();

  await user.click(button);
  const asked = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await user.click(await asked.findByRole("button", { name: "Send the code" }));
  await user.type(
    await asked.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );

  // The list says the same until this page has replaced it.
  expect(await screen.findByRole("heading", { name: "Questions and answers" })).toBeVisible();
  expect(path()).toBe(`${PAGE}/1`);
  expect(await screen.findByText("Waiting to start")).toHaveRole("status");
  expect(screen.queryByText("Another try can come out differently.")).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  expect(await screen.findByText(/^The try was stopped\. This is not the whole/u)).toBeVisible();
  expect(mias.all[0]?.summary.reason).toBe("guardian");
});

test("at a host outside of the home the questions stand before the button, and each can be left out", async () => {
  const { user, mias } = await open((it) => {
    it.preview = { ...it.preview, ...elsewhere };
  });
  const button = await start();
  const list = screen.getByRole("list", { name: "Questions" });
  expect(list.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const boxes = within(list).getAllByRole("checkbox");
  expect(boxes).toHaveLength(4);
  for (const box of boxes) expect(box).toHaveAccessibleDescription("Test question. Mia didn't ask this.");
  expect(
    screen.getByText(/Outside of your home\. Whoever runs that server can read every word/u),
  ).toBeVisible();
  await expectAccessible();

  await user.click(screen.getByRole("checkbox", { name: /^What is the scariest horror film\?/u }));
  expect(screen.getByText("4 requests, about 6,000 tokens.")).toBeVisible();
  await user.click(button);

  await waitFor(() => expect(mias.all[0]?.summary.requests).toBe(4));
});

test("nothing is started if each question is left out", async () => {
  const { user, mias } = await open((it) => {
    it.preview = { ...it.preview, ...elsewhere };
  });
  const button = await start();

  for (const box of screen.getAllByRole("checkbox")) await user.click(box);
  await user.click(button);

  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(mias.all).toEqual([]);
});

test("assistant and language can be chosen", async () => {
  expectLogged(/status 409/u);
  const { user, mias, backend } = await open((_mias, fake) => {
    fake.family(AS).behindGateway = [tablet, { ...tablet, assistant_id: "asi_new", name: "New" }];
  });
  await start();

  await user.click(screen.getByRole("radio", { name: "New" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(
    /which AI model New uses\. It will know once you have talked with it\.$/u,
  );
  await user.click(screen.getByRole("radio", { name: "Tablet" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Language of the questions" }), "Deutsch");
  await user.click(await start());

  await waitFor(() => expect(mias.all[0]?.summary.language).toBe("de"));
  expect(backend.calls.get("/child/{childId}/tries/preview")).toBeGreaterThanOrEqual(3);
});

test("the questions are in the language that the child speaks, unless another one is chosen", async () => {
  const { user, mias, backend } = await open((_mias, fake) =>
    fake.family(AS).profiles.set(1, { language: "fr" }),
  );
  await start();
  const language = screen.getByRole("combobox", { name: "Language of the questions" });
  expect(language).toHaveDisplayValue("Français");
  expect(backend.calls.get("/child/{childId}/tries/preview")).toBe(1);

  await user.click(await start());

  await waitFor(() => expect(mias.all[0]?.summary.language).toBe("fr"));
});

test("one who has tried today reads when the next one can start", async () => {
  const { user, mias } = await open((it) => {
    it.preview.allowed_at = new Date(Date.now() + 3_600_000).toISOString();
  });
  const button = await start();

  expect(button).toHaveAccessibleDescription(/^You have tried these rules today\. The next try can start/u);
  await user.click(button);
  expect(mias.all).toEqual([]);
});

test("a try that runs shows how far it is until it is over, and only its guardian can stop it", async () => {
  const { mias } = await open((it) => {
    const { check_words: _, ...summary } = tryOf(3, [], { state: "running", done: 2 }).summary;
    it.all = [{ summary: { ...summary, by: { is_you: false, name: "Ben" } }, answers: [] }];
  }, `${PAGE}/3`);
  const progress = "Tablet is being asked: 2 of 6 requests are done.";
  expect(screen.getByText(progress)).toHaveRole("status");
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();

  const { summary } = tryOf(3, answered);
  mias.change(3, summary, [...answered]);

  expect(await screen.findByRole("region", { name: "Read the answers" }, { timeout: 5000 })).toBeVisible();
  expect(screen.queryByText(progress)).toBeNull();
});

test("the result: figures, check words, what seems wrong, and each question marked, worst first", async () => {
  await open((it) => {
    it.all = [tryOf(1, answered, { rules_changed_at: new Date().toISOString() })];
  }, `${PAGE}/1`);

  expect(
    screen.getByText("2 made-up questions about your topics: 2 answers are not judged: please read them."),
  ).toBeVisible();
  expect(screen.getByText("In 1 answer: It seems to promise a secret.")).toBeVisible();
  expect(screen.getByText("Our search misses many bad answers. Read the answers yourself.")).toBeVisible();
  expect(screen.getByText("In this short test it repeated all three check words.")).toBeVisible();
  expect(screen.getByText("Another try can come out differently.")).toBeVisible();
  expect(await screen.findByText(/^Rules changed on .+\. Not tried since\.$/u)).toBeVisible();
  expect(screen.queryByText(/always said no/u)).toBeNull();
  const shown = items();
  expect(shown).toHaveLength(5);
  for (const item of shown) expect(item).toHaveTextContent(/^Test question\. Mia didn't ask this\./u);
  expect(shown[0]).toHaveTextContent("It seems to promise a secret.");
  expect(shown[1]).toHaveTextContent("Not judged: only you can tell. Our search misses many bad answers.");
  await expectAccessible();
});

test("missing check words are shown to whoever looks after the server", async () => {
  await open((it) => {
    it.all = [
      tryOf(1, answered, { check_words: { beginning: false, middle: true, end: true, history_bytes: 9 } }),
    ];
  }, `${PAGE}/1`);

  expect(
    screen.getByText("It may not get all your rules. Show this to the person who looks after your server."),
  ).toBeVisible();
});

test("the answers that wait are judged one after another by keyboard, and a verdict can be undone", async () => {
  const { user, mias } = await open((it) => {
    it.all = [tryOf(1, answered)];
  }, `${PAGE}/1`);
  await user.click(screen.getByRole("button", { name: "Read the 4" }));
  expect(items()[1]).toHaveFocus();

  await user.tab();
  expect(document.activeElement).toHaveAccessibleName("OK for Mia");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(mias.all[0]?.answers[1]?.verdict).toBe(true));
  expect(await screen.findByText("You said: OK for Mia")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus());
  expect(
    await screen.findByText(/: 1 answer seems OK, 1 answer is not judged: please read it\.$/u),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Read the 3" })).toBeVisible();

  await user.tab();
  await user.tab();
  await user.keyboard("{Enter}");
  expect(await screen.findByText("You said: Not OK for Mia")).toBeVisible();
  const undo = screen.getAllByRole("button", { name: "Undo" });
  await user.click(undo[0] ?? document.body);

  await waitFor(() => expect(mias.all[0]?.answers[1]?.verdict).toBeUndefined());
  await waitFor(() =>
    expect(within(items()[1] ?? document.body).getByRole("button", { name: "OK for Mia" })).toHaveFocus(),
  );
});

test("a guardian can overrule what a check found, and nothing moves", async () => {
  const { user, mias } = await open((it) => {
    it.all = [tryOf(1, answered)];
  }, `${PAGE}/1`);
  const order = () => items().map((item) => within(item).getByRole("heading").textContent);
  const before = order();

  await user.click(within(items()[0] ?? document.body).getByRole("button", { name: "OK for Mia" }));

  expect(await screen.findByText("You said: OK for Mia")).toBeVisible();
  expect(mias.all[0]?.answers[0]?.ok).toBe(true);
  expect(order()).toEqual(before);
});

test("a verdict that can't be saved says so", async () => {
  expectLogged(/can't be reached|Failed to fetch/u);
  const { user, backend } = await open((it) => {
    it.all = [tryOf(1, answered)];
  }, `${PAGE}/1`);
  backend.outOfReach.add("/child/{childId}/tries/{tryId}/answers/{number}/verdict");

  await user.click(screen.getAllByRole("button", { name: "Not OK for Mia" })[0] ?? document.body);

  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
});

test("answers that were deleted are said to be, and the figures stay", async () => {
  await open((it) => {
    it.all = [{ ...tryOf(1, answered, { answers_until: "2025-12-01T12:00:00Z" }), answers: [] }];
  }, `${PAGE}/1`);

  expect(screen.getByText(/^The answers were deleted on .+2025\.$/u)).toBeVisible();
  expect(screen.getByText(/^2 made-up questions about your topics/u)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Read/u })).toBeNull();
});

test("the tries are listed newest first, each in short, with what is missing", async () => {
  const backend = new FakeBackend();
  renderAt(PAGE, { backend, as: AS });
  const tries = within(await screen.findByRole("region", { name: "Tries" }));
  const all = await tries.findAllByRole("listitem");

  expect(all).toHaveLength(8);
  expect(all[0]).toHaveTextContent(/ · Ben.*2 of 6 requests are done\.$/u);
  expect(all[1]).toHaveTextContent(/It may not get all your rules\./u);
  for (const [index, sentence] of [
    [3, /Half .* This is not the whole result\./u],
    [4, /The AI didn't answer\. This is not/u],
    [5, /Porchlight was restarted meanwhile\. This is not the whole result\./u],
    [6, /The try was stopped\. This is not the whole result\./u],
  ] as const)
    expect(all[index]).toHaveTextContent(sentence);
  for (const item of all.slice(1)) expect(item).toHaveTextContent("Another try can come out differently.");
  await expectAccessible();
});

test("a try is hidden after a confirmation, and the focus stays in the list", async () => {
  const { user, mias } = await open((it) => {
    it.all = [tryOf(2, answered), tryOf(1, answered)];
  });
  const [hide] = await screen.findAllByRole("button", { name: "Hide" });

  await user.click(hide ?? document.body);
  const asked = await screen.findByRole("dialog", { name: "Hide" });
  expect(asked).toHaveTextContent("Other guardians still see it.");
  await user.click(within(asked).getByRole("button", { name: "Hide" }));

  await waitFor(() => expect(mias.all.map(({ summary }) => summary.try_id)).toEqual([1]));
  await waitFor(() => expect(screen.getAllByRole("button", { name: "Hide" })).toHaveLength(1));
  expect(screen.getByRole("link", { name: /^Read the answers/u })).toHaveFocus();
});

test("while one's own try runs, no other can be started", async () => {
  await open((it) => {
    const { check_words: _, ...summary } = tryOf(1, [], { state: "waiting", done: 0 }).summary;
    it.all = [{ summary, answers: [] }];
  });

  expect(await screen.findByText("Waiting to start")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Ask Tablet now" })).toBeNull());
  expect(screen.getByRole("button", { name: "Stop" })).toBeVisible();
});

test.each(["0", "x", "999"])("the address of try %s shows that there is none", async (id) => {
  if (id === "999") expectLogged(/status 404/u);
  await open(() => {}, `${PAGE}/${id}`);

  expect(
    await screen.findByText(
      /^There is nothing (?:at this address, or no longer|here, or it is not yours to see)\.$/u,
    ),
  ).toBeVisible();
});
