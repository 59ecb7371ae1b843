import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { type FakeReviewer, goodFigures, reviewerIn } from "../test/fake-backend-reviewer";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/settings/ai-reader";

afterEach(() => vi.restoreAllMocks());

/** Opens the page of Mia's reader. */
async function open(prepare: (mias: FakeReviewer, backend: FakeBackend) => void, steppedUp = true) {
  const backend = new FakeBackend();
  const mias = reviewerIn(backend.family("parent@example.com"), 1);
  backend.stepUp.steppedUp = steppedUp;
  prepare(mias, backend);
  const rendered = renderAt(PAGE, { backend });
  await screen.findByRole("heading", { level: 1, name: "AI reader" });
  await waitFor(() => expect(screen.queryByText("Loading...")).toBeNull());
  return { ...rendered, mias };
}

const state = () => screen.getByRole("heading", { level: 2, name: /^(?:Off|On|Waits)/u });
const where = () => screen.getByRole("region", { name: "Where every word goes" });
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

async function stepUp(user: Awaited<ReturnType<typeof open>>["user"]) {
  const asked = await dialog("Confirm that it is you");
  await user.click(await asked.findByRole("button", { name: "Send the code" }));
  await user.type(
    await asked.findByRole("textbox", { name: "Code from the email" }),
    `${EMAILS_CODE}{Enter}`,
  );
}

test("without a model it says what the administrator does, and there is nothing to switch on", async () => {
  await open(() => {});

  expect(state()).toHaveTextContent("Off");
  expect(
    screen.getByText("The person who looks after Porchlight must set up and test the AI reader first."),
  ).toBeVisible();
  expect(screen.getByRole("main")).not.toHaveTextContent(/--|porchlight reviewer/u);
  expect(
    screen.getByRole("button", { name: "Send this to the person who looks after Porchlight" }),
  ).toBeVisible();
  expect(screen.queryByRole("region", { name: "Where every word goes" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Switch|Ask for/u })).toBeNull();
});

test("an untested model can't be switched on", async () => {
  const { user, mias } = await open((it) => {
    it.offer(true, { state: "untested" });
    delete it.view.figures;
  });

  expect(state()).toHaveTextContent(/^Off$/u);
  const button = screen.getByRole("button", { name: "Switch on" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(
    "The person who looks after Porchlight must set up and test the AI reader first.",
  );
  expect(screen.getByRole("main")).not.toHaveTextContent(/porchlight reviewer/u);
  await user.click(button);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(mias.view.state).toBe("untested");
});

test("before it is on: where every word goes, how good the model is, and the page for the child", async () => {
  const { user } = await open((it) => it.offer(false));

  expect(state()).toHaveTextContent("Off");
  expect(where()).toHaveTextContent("gpt-4.1-mini");
  expect(where()).toHaveTextContent("api.example.org");
  expect(where()).toHaveTextContent("Outside of your home");
  expect(where()).toHaveTextContent("Whoever runs that server can read every word, and may keep it.");
  expect(where()).toHaveTextContent(/, with 1\.5 false alarms in an ordinary week\.$/u);
  const agree = "It begins once every other guardian has agreed, or was shown this page for seven days.";
  expect(screen.getByText(agree)).toBeVisible();
  await user.click(screen.getByText("Details"));
  const table = screen.getByRole("table", { name: /^Tested on /u });
  const rows = within(table).getAllByRole("row");
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map(({ textContent }) => textContent),
  ).toEqual(["Concern", "Found", "Missed", "False alarms", "Invented quotes (thrown away)", "Seconds"]);
  expect(within(table).getByRole("rowheader", { name: "Self-harm" })).toBeVisible();
  expect(rows[1]).toHaveTextContent(
    "Found: 40Missed: 8False alarms: 1Invented quotes (thrown away): 2Seconds: 2.3",
  );
  expect(screen.queryByText(/Don't rely on it/u)).toBeNull();
  expect(screen.getByRole("link", { name: "A page for Mia" })).toHaveAttribute("href", "/child/1/for-child");
});

test.each([true, false])("before the switch stand at most 120 words, at home: %s", async (isPrivate) => {
  await open((it) => it.offer(isPrivate));
  const button = screen.getByRole("button", { name: "Switch on" });

  const before = document.createRange();
  before.setStartBefore(screen.getByRole("main"));
  before.setEndBefore(button);
  const words = [...before.cloneContents().querySelectorAll("p, h1, h2, dt, dd, a")]
    .filter((each) => each.parentElement?.closest("p") === null)
    .flatMap(({ textContent }) => textContent.split(/\s+/u).filter((word) => word !== ""));

  expect(words).toContain("decide.");
  expect(words.length).toBeLessThanOrEqual(120);
});

test("an unfit model can't be switched on, and the verdict says why", async () => {
  const none = goodFigures.concerns.map((of) => ({ ...of, found: 0, missed: 99 }));
  const { user, mias } = await open((it) =>
    it.offer(true, { figures: { ...goodFigures, concerns: none, unfit: true } }),
  );

  const sentence = "In its test it pointed at none of the 198 places it should have. Don't rely on it.";
  expect(where()).toHaveTextContent(sentence);
  const button = screen.getByRole("button", { name: "Switch on" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(sentence);
  await user.click(button);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(mias.view.state).toBe("off");
});

test("what another guardian wants of an unfit model can't be agreed to, only switched off", async () => {
  await open((it) => {
    it.offer(false, { figures: { ...goodFigures, false_alarms_a_week: 3, unfit: true } });
    it.switchOnElsewhere();
  });

  expect(where()).toHaveTextContent("it raised 3 false alarms in an ordinary week. Don't rely on it.");
  expect(screen.getByRole("button", { name: "Agree" })).toHaveAttribute("aria-disabled", "true");
  expect(screen.getByRole("button", { name: "Switch off" })).toBeVisible();
});

test("a model at home is switched on after a confirmation and a step-up, and switched off", async () => {
  expectLogged(/status 403/u);
  const { user, mias } = await open((it) => it.offer(true), false);
  expect(where()).toHaveTextContent("It seems to run in your home");

  await user.click(screen.getByRole("button", { name: "Switch on" }));
  const asked = await dialog("Switch the AI reader on for Mia?");
  expect(screen.getByRole("dialog")).toHaveTextContent(
    /will go to the AI llama3\.1:8b at 192\.168\.1\.5:11434\. It seems to run in your home\./u,
  );
  await user.click(asked.getByRole("button", { name: "Switch on" }));
  await stepUp(user);

  await waitFor(() => expect(state()).toHaveTextContent(/^On$/u));
  expect(screen.getByText(/^Asked for by you, today/u)).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("link", { name: "A page for Mia" })).toBeNull();
  expect(mias.view.state).toBe("on");

  await user.click(screen.getByRole("button", { name: "Switch off" }));
  await waitFor(() => expect(state()).toHaveTextContent("Off"));
  expect(state()).toHaveFocus();
  expect(mias.view.state).toBe("off");
});

test("for a model elsewhere it waits for the other guardians", async () => {
  const { user, mias } = await open((it) => {
    it.offer(false);
    it.hasOthers = true;
  });

  await user.click(screen.getByRole("button", { name: "Switch on" }));
  const asked = await dialog("Switch the AI reader on for Mia?");
  expect(screen.getByRole("dialog")).toHaveTextContent(/api\.example\.org\. Outside of your home\./u);
  await user.click(asked.getByRole("button", { name: "Switch on" }));

  await waitFor(() => expect(state()).toHaveTextContent("Waits for the other guardians"));
  expect(screen.getByText("Nothing is sent yet.")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Agree/u })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Switch off" }));
  await waitFor(() => expect(mias.view.state).toBe("off"));
});

test("a model that was replaced meanwhile is shown, and was not switched on", async () => {
  expectLogged(/409/u);
  const { user, mias } = await open((it) => it.offer(true));

  await user.click(screen.getByRole("button", { name: "Switch on" }));
  mias.offer(false);
  await user.click(
    (await dialog("Switch the AI reader on for Mia?")).getByRole("button", { name: "Switch on" }),
  );

  expect(await screen.findByText(/^The model, or where it is, has changed meanwhile/u)).toBeVisible();
  expect(where()).toHaveTextContent("Outside of your home");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(mias.view.state).toBe("off");
});

test("what another guardian wants can be agreed to, after stepping up", async () => {
  expectLogged(/status 403/u);
  const { user, mias } = await open((it) => {
    it.offer(false);
    it.switchOnElsewhere();
  }, false);
  expect(screen.getByText(/^Asked for by Ben, /u)).toBeVisible();
  expect(screen.getByRole("button", { name: "Switch off" })).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Agree" }));
  await user.click((await dialog("Switch the AI reader on for Mia?")).getByRole("button", { name: "Agree" }));
  expect(mias.view.confirmed).toBe(false);
  await stepUp(user);

  await waitFor(() => expect(state()).toHaveTextContent(/^On$/u));
  expect(screen.getByText(/^Asked for by Ben, /u)).toBeVisible();
  expect(mias.view.confirmed).toBe(true);
});

test("one who has agreed is not asked again", async () => {
  await open((it) => {
    it.offer(false);
    it.switchOnElsewhere({ shown: true, confirmed: true });
  });

  expect(state()).toHaveTextContent("Waits for the other guardians");
  expect(screen.queryByRole("button", { name: /Agree/u })).toBeNull();
});

test("what another guardian wants counts as shown only once it was on screen of somebody", async () => {
  const bounds = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect");
  bounds.mockReturnValue(new DOMRect(0, 5000, 100, 100));
  const { backend, mias } = await open((it) => {
    it.offer(false);
    it.switchOnElsewhere();
  });
  fireEvent.wheel(document.body);
  bounds.mockReturnValue(new DOMRect(0, 10, 100, 100));
  expect(backend.calls.get("/child/{childId}/reviewer/shown")).toBeUndefined();

  fireEvent.wheel(document.body);

  await waitFor(() => expect(mias.view.shown).toBe(true));
  expect(await screen.findByText(/^It takes effect on Nov \d+, 2030/u)).toBeVisible();
  fireEvent.wheel(document.body);
  expect(backend.calls.get("/child/{childId}/reviewer/shown")).toBe(1);
});

test.each(["off", "on"] as const)("a reader that is %s is never reported as shown", async (now) => {
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 10, 100, 100));
  const { backend } = await open((it) => {
    it.offer(true);
    if (now === "on") it.switchOnElsewhere({ state: "on" });
  });

  fireEvent.wheel(document.body);

  expect(backend.calls.get("/child/{childId}/reviewer/shown")).toBeUndefined();
});

test("what another guardian switches off is off on this page, too", async () => {
  const { backend, mias } = await open((it, fake) => {
    fake.opensStreams = true;
    it.offer(true);
    it.switchOnElsewhere({ state: "on" });
  });
  expect(state()).toHaveTextContent(/^On$/u);
  await waitFor(() => expect(backend.openStreams).toBe(1));

  mias.switchOff();
  backend.sendEvents("reviewer");

  await waitFor(() => expect(state()).toHaveTextContent("Off"));
  expect(screen.getByRole("button", { name: "Switch on" })).toBeVisible();
});

test("it says that it ended with the model, and how many conversations were not reviewed", async () => {
  await open((it) => it.offer(true, { ended: true, not_reviewed: 3 }));

  expect(screen.getByText(/^It was on, and has ended: the AI or its server changed\./u)).toBeVisible();
  expect(screen.getByText("3 conversations were not reviewed.")).toBeVisible();
});

test("a model that is named no longer leaves the end in sight", async () => {
  await open((it) => {
    it.view = { ...it.view, ended: true };
  });

  expect(state()).toHaveTextContent("Off");
  expect(screen.getByText(/^It was on, and has ended/u)).toBeVisible();
});

test("alerts about home need a confirmation and a step-up, and end without", async () => {
  expectLogged(/status 403/u);
  const { user, mias, backend } = await open((it) => it.offer(true), false);
  const home = within(screen.getByRole("region", { name: "Hurt or threatened at home" }));
  expect(home.getByText("all guardians see them, also the one whom such an alert is about")).toBeVisible();

  await user.click(home.getByRole("button", { name: "Ask for these alerts" }));
  const asked = await dialog("Ask for these alerts");
  await user.click(asked.getByRole("button", { name: "Ask for these alerts" }));
  await stepUp(user);

  expect(await home.findByText("Asked for by you.")).toBeVisible();
  expect(mias.view.at_home).toBe(true);
  backend.stepUp.steppedUp = false;
  await user.click(home.getByRole("button", { name: "End these alerts" }));
  await waitFor(() => expect(mias.view.at_home).toBe(false));
  expect(await home.findByRole("button", { name: "Ask for these alerts" })).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what could not be switched off says so", async () => {
  expectLogged(/RequestFailed|Failed to fetch/u);
  const { user, backend } = await open((it) => {
    it.offer(true);
    it.switchOnElsewhere({ state: "on" });
  });
  backend.outOfReach.add("/child/{childId}/reviewer");

  await user.click(screen.getByRole("button", { name: "Switch off" }));

  expect(await screen.findByRole("alert")).toBeVisible();
  expect(state()).toHaveTextContent(/^On$/u);
});

test("a page that can't be loaded says why", async () => {
  expectLogged(/503/u);
  renderAt("/child/503/settings/ai-reader");

  expect(await screen.findByText(/^This can't be read right now/u)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("App Settings lead there, with its state", async () => {
  const backend = new FakeBackend();
  const mias = reviewerIn(backend.family("parent@example.com"), 1);
  mias.offer(false);
  mias.switchOnElsewhere();
  const { user, path } = renderAt("/child/1/settings", { backend });

  await user.click(await screen.findByRole("link", { name: /^AI reader ?Waits for your answer$/u }));

  expect(path()).toBe(PAGE);
});
