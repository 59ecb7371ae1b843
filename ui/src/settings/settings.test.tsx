import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { viewersZone, zoneName } from "../format/dates";
import { FakeBackend } from "../test/fake-backend";
import { type FakeRules, changeTimesElsewhere, rulesOf } from "../test/fake-backend-rules";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";
import { renderAt } from "../test/render-at";
import { allAnswered } from "../test/requests";

const PAGE = "/child/1/settings/times";
const CALL = "/child/{childId}/times";
const night = { days: ["fri" as const, "sat" as const], from: "21:00", to: "08:00" };

afterEach(() => vi.useRealTimers());

async function open(more: Partial<FakeRules> = {}) {
  const backend = new FakeBackend();
  const rules = rulesOf(more);
  backend.family("parent@example.com").rules.set(1, rules);
  const rendered = renderAt(PAGE, { backend });
  await screen.findByRole("heading", { name: "Pause", level: 3 });
  return { ...rendered, rules };
}

/** Opens the list of the parts. */
async function openIndex(more: Partial<FakeRules> = {}, backend = new FakeBackend()) {
  backend.family("parent@example.com").rules.set(1, rulesOf(more));
  const opened = await openSettings("settings", { backend });
  await allAnswered();
  /** A part's link, with its present state. */
  const part = (label: string) =>
    opened.main
      .getByRole("link", { name: new RegExp(`^${label}`, "u") })
      .textContent.replaceAll("\u202F", " ");
  return { ...opened, part };
}

function button(name: string | RegExp) {
  return screen.getByRole("button", { name });
}

/** The texts of the quiet hours, without buttons. */
function quietHours(): string[] {
  const list = screen.queryByRole("list", { name: "Quiet hours" });
  return list === null
    ? []
    : within(list)
        .getAllByRole("listitem")
        .map((item) => (item.querySelector("p")?.textContent ?? "").replaceAll("\u202F", " "));
}

/** The evening of a day of November. */
function at(day: number): string {
  return new Date(new Date().getFullYear(), 10, day, 18, 12).toISOString();
}

async function shownChanges(): Promise<string[]> {
  const list = await screen.findByRole("list", { name: "Changes" });
  return within(list)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent.replaceAll("\u202F", " "));
}

test("App Settings lists its parts, each with its present state", async () => {
  const backend = new FakeBackend();
  backend.household.others = [{ is_you: false, name: "Robin" }];
  const { part, user, path } = await openIndex(
    { times: { time_zone: "Europe/Berlin", quiet_hours: [night], minutes_a_day: 45 } },
    backend,
  );

  expect(part("Times")).toBe("TimesQuiet hours: Fri, Sat, 9:00 PM to 8:00 AM · 45 minutes a day");
  expect(part("Assistants")).toBe("AssistantsKitchen and Grandma's");
  expect(part("People")).toBe("PeopleYou and Robin see Mia's data");
  expect(part("Mia's profile")).toBe("Mia's profileConversations are kept for ever");
  expect(part("You")).toBe("Youparent@example.com · 10 of 10 recovery codes left");
  await user.click(screen.getByRole("link", { name: /^Times/u }));
  await waitFor(() => expect(path()).toBe(PAGE));
  await user.click(await screen.findByRole("link", { name: "App Settings", current: false }));
  await waitFor(() => expect(path()).toBe("/child/1/settings"));
});

test("a part whose state can't be loaded can still be opened", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/household");
  const { part } = await openIndex({}, backend);

  await waitFor(() => expect(part("People")).toBe("PeopleCould not be loaded."));
  expect(part("Times")).toBe("TimesNo quiet hours · Daily limit: No limit");
});

test("the page shows whether the child may talk now, explains the times, and says who else sees them", async () => {
  await open({ guardians: 3, talk: { allowed: true, seconds_left: 600 }, secondsUsed: 1200 });

  expect(screen.getByRole("heading", { name: "Times", level: 1 })).toBeVisible();
  expect(document.title).toBe("Times · Mia · Porchlight");
  expect(
    screen.getByRole("heading", { name: "When Mia may talk with the assistant", level: 2 }),
  ).toBeVisible();
  expect(await screen.findByText(/may talk now/u)).toHaveTextContent(
    "Mia may talk now. 10 minutes left today.",
  );
  expect(screen.getByText(/told to say a kind goodbye/u)).toHaveTextContent(
    "You share this with the child's 2 other guardians.",
  );
  expect(screen.getByText(/20 minutes used today/u)).toBeVisible();
});

test("with one guardian sharing is not mentioned", async () => {
  await open();

  expect(screen.queryByText(/You share/u)).toBeNull();
});

test("quiet hours are added, changed and removed, each saved at once", async () => {
  const { user, rules } = await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [night] } });
  expect(quietHours()).toEqual(["Fri, Sat9:00 PM to 8:00 AM the next day"]);

  await user.click(button("Add quiet hours"));
  expect(button("Monday")).toHaveFocus();
  expect(button("Sunday")).toHaveAttribute("aria-pressed", "true");
  for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]) await user.click(button(day));
  await user.clear(screen.getByLabelText("From"));
  await user.type(screen.getByLabelText("From"), "12:30");
  await user.clear(screen.getByLabelText("To"));
  await user.type(screen.getByLabelText("To"), "14:00");
  await user.click(button("Save"));

  expect(quietHours()).toEqual(["Fri, Sat9:00 PM to 8:00 AM the next day", "Sat, Sun12:30 PM to 2:00 PM"]);
  const nap = { days: ["sat", "sun"], from: "12:30", to: "14:00" };
  await waitFor(() => expect(rules.times.quiet_hours).toEqual([night, nap]));
  expect(button("Add quiet hours")).toHaveFocus();
  await screen.findByText("Saved.");

  await user.click(button(/^Change Fri, Sat/u));
  await user.click(button("Sunday"));
  await user.click(button("Save"));
  await waitFor(() =>
    expect(rules.times.quiet_hours).toEqual([{ ...night, days: ["fri", "sat", "sun"] }, nap]),
  );
  expect(quietHours()[0]).toMatch(/^Fri to Sun/u);
  await screen.findByText("Saved.");

  await user.click(button(/^Remove Fri to Sun/u));
  await waitFor(() => expect(rules.times.quiet_hours).toEqual([nap]));
  expect(button(/^Change Sat, Sun/u)).toHaveFocus();
});

test("removing quiet hours can be undone", async () => {
  const { user, rules } = await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [night] } });

  await user.click(button(/^Remove Fri, Sat/u));
  await waitFor(() => expect(rules.times.quiet_hours).toEqual([]));
  await screen.findByText("Saved.");
  await user.click(button("Undo"));

  await waitFor(() => expect(rules.times.quiet_hours).toEqual([night]));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(button("Add quiet hours")).toHaveFocus();
});

test("the form shows that quiet hours pass midnight", async () => {
  const { user } = await open();
  await user.click(button("Add quiet hours"));

  expect(screen.getByText(/to 7:00\sAM the next day$/u)).toBeVisible();
  await user.clear(screen.getByLabelText("To"));
  await user.type(screen.getByLabelText("To"), "22:00");

  expect(screen.queryByText(/the next day$/u)).toBeNull();
});

test("invalid quiet hours are rejected, and the input stays", async () => {
  const { user, rules } = await open();
  await user.click(button("Add quiet hours"));
  await user.clear(screen.getByLabelText("To"));
  await user.type(screen.getByLabelText("To"), "20:00");
  await user.click(button("Save"));

  expect(screen.getByRole("alert")).toHaveTextContent("Quiet hours can't begin and end at the same time.");
  expect(screen.getByLabelText("To")).toHaveValue("20:00");
  expect(rules.version).toBe(1);
  await user.click(button("Cancel"));
  expect(button("Add quiet hours")).toHaveFocus();
});

test("a draft of quiet hours is restored when the parent returns", async () => {
  const { user, router } = await open();
  await user.click(button("Add quiet hours"));
  await user.click(button("Monday"));

  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await router.navigate(PAGE);

  expect(await screen.findByRole("button", { name: "Monday" })).toHaveAttribute("aria-pressed", "false");
});

test("minutes a day are saved, and an empty field means no limit", async () => {
  const { user, rules } = await open();
  const field = screen.getByRole("textbox", { name: "Minutes" });
  await user.type(field, "45");
  await user.click(button("Save Daily limit"));
  await waitFor(() => expect(rules.times.minutes_a_day).toBe(45));
  await screen.findByText("Saved.");

  await user.clear(field);
  await user.click(button("Save Daily limit"));

  await waitFor(() => expect(rules.times).toEqual({ time_zone: "Europe/Berlin", quiet_hours: [] }));
  expect(field).toHaveValue("");
});

test("invalid minutes are rejected, and the input stays", async () => {
  const { user, rules } = await open();
  const field = screen.getByRole("textbox", { name: "Minutes" });
  await user.type(field, "0{Enter}");

  expect(screen.getByRole("alert")).toHaveTextContent(
    "Please type a number from 1 to 1,440, or nothing for no limit.",
  );
  expect(field).toHaveValue("0");
  expect(field).toHaveAttribute("aria-invalid", "true");
  expect(rules.version).toBe(1);
});

test("a child with the server's UTC is offered the device's time zone", async () => {
  const { user, rules } = await open({ times: { time_zone: "Etc/UTC", quiet_hours: [] } });
  expect(
    screen.getByText(`'s days and quiet hours are in UTC, this device is in ${zoneName(viewersZone())}.`),
  ).toBeVisible();

  await user.click(button(`Use ${zoneName(viewersZone())}`));

  await waitFor(() => expect(rules.times.time_zone).toBe(viewersZone()));
  await waitFor(() => expect(screen.queryByText(/This device is in/u)).toBeNull());
});

test("another time zone can be chosen, and the present one is always among them", async () => {
  const { user, rules } = await open({ times: { time_zone: "Mars/Olympus", quiet_hours: [] } });
  const zones = screen.getByRole("combobox", { name: "Time zone" });
  expect(zones).toHaveDisplayValue("Olympus");
  // The heading labels the list, and stands there once.
  expect(screen.getAllByText("Time zone")).toEqual([screen.getByRole("heading", { name: "Time zone" })]);
  expect(within(zones).getAllByRole("option").length).toBeGreaterThan(300);

  await user.selectOptions(zones, "Asia/Tokyo");
  await user.click(button("Save Time zone"));

  await waitFor(() => expect(rules.times.time_zone).toBe("Asia/Tokyo"));
});

test("a time zone is found by its city, and chosen without effect before it is saved", async () => {
  const { user, rules } = await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [] } });
  const zones = screen.getByRole("combobox", { name: "Time zone" });
  const city = screen.getByRole("searchbox", { name: "Search by city" });

  await user.type(city, "Atlantis");
  expect(screen.getByText("Nothing was found. Try a larger city.")).toBeVisible();
  expect(zones).toHaveDisplayValue("Berlin");
  await user.clear(city);
  await user.type(city, "boston");
  await waitFor(() => expect(zones).toHaveDisplayValue("New York"));
  await user.clear(city);
  await user.type(city, "tokyo");
  expect(
    within(zones)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Tokyo"]);
  expect(rules.times.time_zone).toBe("Europe/Berlin");
  await user.click(button("Save Time zone"));

  await waitFor(() => expect(rules.times.time_zone).toBe("Asia/Tokyo"));
  expect(city).toHaveValue("");
});

test("of two guardians who change the times at once, nobody's change is lost", async () => {
  const { user, rules } = await open();
  changeTimesElsewhere(rules, { ...rules.times, minutes_a_day: 30, quiet_hours: [night] });

  await user.click(button("Until resumed"));

  await waitFor(() =>
    expect(rules.times).toEqual({
      time_zone: "Europe/Berlin",
      pause: {},
      minutes_a_day: 30,
      quiet_hours: [night],
    }),
  );
  expect(quietHours()).toEqual(["Fri, Sat9:00 PM to 8:00 AM the next day"]);
});

test("during a save a pause is not shown before the server has it, and other controls are disabled", async () => {
  const { user, backend } = await open({ times: { time_zone: "Europe/Berlin", quiet_hours: [night] } });
  backend.neverAnswered.add(CALL);

  await user.click(button("Until resumed"));

  expect(await screen.findByText("Saving changes...")).toBeVisible();
  expect(screen.queryByText("Paused until resumed")).toBeNull();
  for (const name of ["Until resumed", "Add quiet hours", /^Change Fri/u, /^Remove/u])
    expect(button(name)).toHaveAttribute("aria-disabled", "true");
});

test("a pause hides the server's status until it is refetched", async () => {
  const { user } = await open();
  expect(await screen.findByText(/may talk now/u)).toBeVisible();

  await user.click(button("Until resumed"));

  expect(screen.queryByText(/may talk now/u)).toBeNull();
  expect(await screen.findByText(/^Paused until resumed\./u)).toHaveTextContent("Paused until resumed.");
});

test("a change that can't be saved stays, with the server's message, and can be retried", async () => {
  expectLogged(/status 503/u);
  const { user, rules } = await open({ failing: "Not now, says the server." });
  await user.click(button("Until resumed"));

  expect(await screen.findByRole("alert")).toHaveTextContent("Not now, says the server.");
  expect(screen.queryByText("Paused until resumed")).toBeNull();
  rules.failing = null;
  await user.click(button("Try again"));

  expect(await screen.findByText("Paused until resumed")).toBeVisible();
  expect(rules.times.pause).toEqual({});
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

test("a change that can't be saved can be discarded", async () => {
  expectLogged(/status 503/u);
  const { user, rules } = await open({ failing: "Not now, says the server." });
  await user.click(button("Until resumed"));
  await screen.findByRole("alert");

  await user.click(button("Undo"));

  expect(await screen.findByRole("button", { name: "For an hour" })).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(rules.version).toBe(1);
});

test("a change that fails is reported on other pages", async () => {
  expectLogged(/status 503/u);
  const { user, router } = await open({ failing: "Not now, says the server." });
  await user.click(button("Until resumed"));
  await screen.findByRole("alert");

  await router.navigate("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Your last change for Mia is not saved yet. Not now, says the server.",
  );
});

test("times that can't be loaded show an error, and can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add(CALL);
  const { user } = renderAt(PAGE, { backend });

  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  backend.outOfReach.clear();
  await user.click(button("Try again"));

  expect(await screen.findByRole("heading", { name: "Pause", level: 3 })).toBeVisible();
});

test("the history shows when, who and what, newest first, ten at a time", async () => {
  const earlier = Array.from({ length: 9 }, (_, index) => ({
    at: at(15 - index),
    what: "context" as const,
    by: { is_you: true },
  }));
  const { user } = await openIndex({
    history: [
      { at: at(19), what: "blocked_topics", by: { is_you: true } },
      { at: at(18), what: "quiet_hours", by: { is_you: false, name: "Ben" } },
      { at: at(17), what: "paused", times: 1234 },
      { at: at(16), what: "pause_ended", by: { is_you: false } },
      ...earlier,
    ],
  });

  expect((await shownChanges()).slice(0, 4)).toEqual([
    "Nov 19, 6:12 PM · You · Topic Block List",
    "Nov 18, 6:12 PM · Ben · Quiet hours",
    "Nov 17, 6:12 PM · A former guardian · Pause (1,234 times)",
    "Nov 16, 6:12 PM · Another guardian · Pause: Off",
  ]);
  expect(await shownChanges()).toHaveLength(10);
  await user.click(button("Show earlier"));

  await waitFor(async () => expect(await shownChanges()).toHaveLength(13));
  expect(document.activeElement).toHaveTextContent(/^Nov 9,/u);
  expect(screen.queryByRole("button", { name: "Show earlier" })).toBeNull();
});

test("without changes the history has an empty state", async () => {
  await openIndex();

  expect(await screen.findByText("Nothing yet")).toBeVisible();
});
