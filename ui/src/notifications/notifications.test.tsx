import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { viewersZone, zoneName } from "../format/dates";
import { FakeBackend } from "../test/fake-backend";
import { problem } from "../test/fake-problem";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

const PAGE = "/child/1/subscription";

function begin(prepare: (backend: FakeBackend) => void = () => {}) {
  const backend = new FakeBackend();
  const own = backend.family("parent@example.com").subscription;
  prepare(backend);
  return { ...renderAt(PAGE, { backend }), own };
}

/** Told at once by e-mail. */
function told(prepare: (backend: FakeBackend) => void = () => {}) {
  return begin((backend) => {
    const own = backend.family("parent@example.com").subscription;
    own.settings.at_once.email = true;
    prepare(backend);
  });
}

const sendEmail = { name: "Send me an email" };
const weekly = { name: "Send me an email once a week" };
const quotes = { name: "Include quotes and topics in my emails" };

const diskIsFull = () => problem(507, "storage_full", "The disk is full. Please try again later.");

test("nothing is on before it is chosen", async () => {
  begin();

  expect(await screen.findByRole("heading", { name: "Subscription", level: 1 })).toBeVisible();
  expect(screen.getByText("Porchlight is free. Choose which messages it sends you.")).toBeVisible();
  const boxes = await screen.findAllByRole("checkbox");
  expect(boxes.map((box) => box.closest("label")?.textContent)).toEqual([
    sendEmail.name,
    weekly.name,
    quotes.name,
  ]);
  for (const box of boxes) expect(box).not.toBeChecked();
  expect(screen.queryByRole("heading", { name: "Quiet hours" })).toBeNull();
  expect(screen.queryByRole("heading", { name: "Time zone" })).toBeNull();
});

test("the demonstration offers no messages about alerts, because it sends none", async () => {
  renderAt(PAGE, { as: "demo@porchlight.example" });

  expect(await screen.findByText("The demonstration sends no messages about alerts.")).toBeVisible();
  expect(screen.queryByRole("checkbox", sendEmail)).toBeNull();
  expect(screen.getByRole("checkbox", weekly)).toBeVisible();
});

test("emails are said to quote nobody only while they don't", async () => {
  const off = "Off: our emails never quote anyone.";
  const { unmount } = begin();
  expect(await screen.findByText(off)).toBeVisible();
  unmount();

  begin((backend) => {
    backend.family("parent@example.com").subscription.settings.quotes = true;
  });
  expect(await screen.findByRole("checkbox", quotes)).toBeChecked();
  expect(screen.queryByText(off)).toBeNull();
});

test("an email at once is switched on with the keyboard, and its choices appear", async () => {
  const { user, own } = begin();

  (await screen.findByRole("checkbox", sendEmail)).focus();
  await user.keyboard(" ");

  expect(await screen.findByText("Saved.")).toBeVisible();
  expect(own.settings.at_once.email).toBe(true);
  expect(screen.getByRole("checkbox", sendEmail)).toHaveFocus();
  expect(screen.getByRole("checkbox", sendEmail)).toHaveAccessibleDescription("parent@example.com");
  const kinds = screen.getByRole("group", { name: "About which alerts?" });
  expect(within(kinds).getByRole("checkbox", { name: "A phrase you watch for was said" })).toBeChecked();
  await user.click(within(kinds).getByRole("checkbox", { name: "Talking outside your times" }));

  await waitFor(() => expect(own.settings.at_once.kinds).toEqual(["phrase", "reviewer"]));
  await waitFor(() => expect(screen.getAllByText("Saved.")).toHaveLength(1));
  expect(within(kinds).getByText("Saved.")).toBeVisible();
});

test("urgent alerts of an AI reader pass quiet hours if chosen, and are offered with its alerts alone", async () => {
  const { user, own } = told();
  const urgent = { name: "What the AI reader calls urgent also comes in my quiet hours" };
  expect(await screen.findByRole("checkbox", urgent)).not.toBeChecked();

  await user.click(screen.getByRole("checkbox", urgent));
  await waitFor(() => expect(own.settings.at_once.urgent_passes).toBe(true));

  await user.click(screen.getByRole("checkbox", { name: "The AI reader found something" }));
  await waitFor(() => expect(own.settings.at_once.kinds).toEqual(["phrase", "outside_times"]));
  await waitFor(() => expect(screen.queryByRole("checkbox", urgent)).toBeNull());
});

test("some children are chosen, and then all again", async () => {
  const { user, own } = told((backend) => {
    const family = backend.family("parent@example.com");
    family.children = [
      { child_id: 1, name: "Mia" },
      { child_id: 2, name: "Noah" },
    ];
  });
  const group = await screen.findByRole("group", { name: "About which children?" });
  expect(within(group).getByRole("radio", { name: "All, and those that I add later" })).toBeChecked();

  await user.click(within(group).getByRole("radio", { name: "Only some" }));
  await waitFor(() => expect(own.settings.at_once.children).toEqual([1, 2]));
  await user.click(within(group).getByRole("checkbox", { name: "Noah" }));
  await user.click(within(group).getByRole("checkbox", { name: "Mia" }));
  await waitFor(() => expect(own.settings.at_once.children).toEqual([]));

  await user.click(within(group).getByRole("radio", { name: "All, and those that I add later" }));
  await waitFor(() => expect(own.settings.at_once.children).toBeUndefined());
});

test("a parent of one child is not asked which", async () => {
  told((backend) => {
    backend.family("parent@example.com").children = [{ child_id: 1, name: "Mia" }];
  });

  expect(await screen.findByRole("group", { name: "About which alerts?" })).toBeVisible();
  expect(screen.queryByRole("group", { name: "About which children?" })).toBeNull();
});

test("quiet hours are added, changed, removed, and brought back", async () => {
  const { user, own } = told();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  await user.click(await screen.findByRole("button", { name: "Add quiet hours" }));
  const form = screen.getByRole("form", { name: "Quiet hours" });
  expect(within(form).getByLabelText("From")).toHaveFocus();
  expect(form).toHaveTextContent("10:00 PM to 7:00 AM the next day");
  await user.click(within(form).getByRole("button", { name: "Save" }));

  expect(await screen.findByText("10:00 PM to 7:00 AM the next day")).toBeVisible();
  await waitFor(() => expect(own.settings.at_once.quiet_hours).toEqual({ from: "22:00", to: "07:00" }));
  expect(own.settings.time_zone).toBe(zone);
  expect(screen.getByRole("combobox", { name: "Time zone" })).toHaveValue(zone);

  const quiet = screen.getByRole("region", { name: "Quiet hours" });
  expect(within(quiet).getByRole("button", { name: "Change" })).toHaveFocus();
  await user.keyboard("{Enter}");
  await user.clear(screen.getByLabelText("To"));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("Please say when the quiet hours begin and when they end.")).toBeVisible();
  await user.type(screen.getByLabelText("To"), "06:30");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(own.settings.at_once.quiet_hours?.to).toBe("06:30"));

  await user.click(within(quiet).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(own.settings.at_once.quiet_hours).toBeUndefined());
  expect(within(quiet).getByRole("button", { name: "Add quiet hours" })).toHaveFocus();
  expect(quiet).toHaveTextContent("Removed: 10:00 PM to 6:30 AM.");
  await user.click(within(quiet).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(own.settings.at_once.quiet_hours).toEqual({ from: "22:00", to: "06:30" }));
  expect(within(quiet).getByRole("button", { name: "Change" })).toHaveFocus();
});

test("a form of quiet hours that is closed gives the focus back", async () => {
  const { user, own } = told();

  await user.click(await screen.findByRole("button", { name: "Add quiet hours" }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));

  expect(screen.getByRole("button", { name: "Add quiet hours" })).toHaveFocus();
  expect(own.version).toBe(1);
});

test("the weekly email comes at a day and an hour, on the guardian's clock", async () => {
  const { user, own } = begin();

  await user.click(await screen.findByRole("checkbox", weekly));
  await waitFor(() => expect(own.settings.weekly.enabled).toBe(true));
  const form = screen.getByRole("form", { name: "Once a week" });
  expect(within(form).getByRole("combobox", { name: "Day" })).toHaveDisplayValue("Sunday");
  await user.selectOptions(within(form).getByRole("combobox", { name: "Day" }), "Friday");
  await user.selectOptions(within(form).getByRole("combobox", { name: "Hour" }), "7:00 AM");
  expect(own.settings.weekly.weekday).toBe("sun");
  await user.click(within(form).getByRole("button", { name: "Save" }));

  await waitFor(() => expect(own.settings.weekly).toEqual({ enabled: true, weekday: "fri", hour: 7 }));
  expect(await within(form).findByText("Saved.")).toBeVisible();

  await user.selectOptions(screen.getByRole("combobox", { name: "Time zone" }), "Asia/Tokyo");
  await user.click(screen.getByRole("button", { name: "Save Time zone" }));
  await waitFor(() => expect(own.settings.time_zone).toBe("Asia/Tokyo"));
  const here = zoneName(viewersZone());
  expect(screen.getByText(`This device is in ${here}.`)).toBeVisible();
});

test("quotes are switched on after stepping up, and off without", async () => {
  const { user, own, backend } = begin((backend_) => {
    backend_.stepUp.steppedUp = false;
  });
  expectLogged(/403/u);

  await user.click(await screen.findByRole("checkbox", quotes));
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  expect(own.settings.quotes).toBe(false);
  await user.click(await within(dialog).findByRole("button", { name: "Recovery code" }));
  await user.type(within(dialog).getByLabelText("Recovery code"), backend.stepUp.codes?.[0] ?? "");
  await user.click(within(dialog).getByRole("button", { name: "Confirm" }));

  await waitFor(() => expect(own.settings.quotes).toBe(true));
  expect(await screen.findByText("Saved.")).toBeVisible();
  expect(screen.getByRole("checkbox", quotes)).toBeChecked();
  expect(screen.getByText(/^On since Nov [34]$/u)).toBeVisible();

  backend.stepUp.steppedUp = false;
  await user.click(screen.getByRole("checkbox", quotes));
  await waitFor(() => expect(own.settings.quotes).toBe(false));
});

test("without stepping up, quotes stay off", async () => {
  const { user, own } = begin((backend) => {
    backend.stepUp.steppedUp = false;
  });
  expectLogged(/403/u);

  await user.click(await screen.findByRole("checkbox", quotes));
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));

  expect(screen.getByRole("checkbox", quotes)).not.toBeChecked();
  expect(own.settings.quotes).toBe(false);
});

test("a change is repeated on what another device has saved meanwhile", async () => {
  const { user, own } = begin();
  await screen.findByRole("checkbox", sendEmail);
  own.changeElsewhere({ weekly: { enabled: true, weekday: "wed", hour: 9 } });
  expectLogged(/412/u);

  await user.click(screen.getByRole("checkbox", sendEmail));

  await waitFor(() => expect(own.settings.at_once.email).toBe(true));
  expect(own.settings.weekly).toEqual({ enabled: true, weekday: "wed", hour: 9 });
  expect(await screen.findByRole("checkbox", weekly)).toBeChecked();
});

test("a change that can't be saved is taken back, says why, and can be tried again", async () => {
  const { user, own } = begin();
  own.refusal = diskIsFull;
  expectLogged(/507/u);

  await user.click(await screen.findByRole("checkbox", sendEmail));

  expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full. Please try again later.");
  expect(screen.getByRole("checkbox", sendEmail)).not.toBeChecked();
  own.refusal = null;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(own.settings.at_once.email).toBe(true));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("checkbox", sendEmail)).toBeChecked();
});

test("a server without a mail server says so, and offers no emails", async () => {
  begin((backend) => {
    backend.sendsEmail = false;
  });

  expect(
    await screen.findByText("This server sends no emails until the person who set it up adds a mail server."),
  ).toBeVisible();
  expect(screen.queryAllByRole("checkbox")).toEqual([]);
});

test("an address that isn't confirmed is to be confirmed first", async () => {
  begin((backend) => {
    backend.family("parent@example.com").guardian.email_unverified = true;
  });

  expect(await screen.findByText("Nothing is sent to an address that isn't confirmed.")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Confirm this address" })).toBeVisible();
});

/** With an ntfy server. */
function withNtfy(prepare: (backend: FakeBackend) => void = () => {}) {
  return begin((backend) => {
    backend.family("parent@example.com").subscription.server = "https://ntfy.example.com";
    prepare(backend);
  });
}

test("notifications are switched on after stepping up, and the topic is shown once", async () => {
  const { user, own, backend } = withNtfy((backend_) => {
    backend_.stepUp.steppedUp = false;
  });
  expectLogged(/403/u);

  await user.click(await screen.findByRole("button", { name: "Switch on" }));
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  await user.click(await within(dialog).findByRole("button", { name: "Recovery code" }));
  await user.type(within(dialog).getByLabelText("Recovery code"), backend.stepUp.codes?.[0] ?? "");
  await user.click(within(dialog).getByRole("button", { name: "Confirm" }));

  const heading = await screen.findByRole("heading", { name: "Add Porchlight to the ntfy app" });
  const topic = "00000000000000000000000000000001";
  expect(screen.getByRole("img", { name: "QR code" })).toBeVisible();
  expect(screen.getByRole("link", { name: "open it in the ntfy app" })).toHaveAttribute(
    "href",
    `ntfy://ntfy.example.com/${topic}?display=Porchlight`,
  );
  expect(screen.getByText("https://ntfy.example.com")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("Copied")).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(topic);
  expect(await screen.findByRole("group", { name: "About which alerts?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Done" }));

  expect(heading).not.toBeInTheDocument();
  expect(screen.queryByText(topic)).toBeNull();
  expect(screen.getByText(/^On since Nov [56]$/u)).toBeVisible();
  expect(screen.getByRole("button", { name: "Make a new code" })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(await screen.findByText("00000000000000000000000000000002")).toBeVisible();
  expect(own.topics).toBe(2);
});

test("notifications are switched off, and what fails is said", async () => {
  const { user, own } = withNtfy((backend) => {
    backend.family("parent@example.com").subscription.notificationsSince = "2026-11-05T17:00:00Z";
  });
  const notifications = within(await screen.findByRole("region", { name: "Notifications on my phone" }));
  own.refusal = diskIsFull;
  expectLogged(/507/u);

  await user.click(notifications.getByRole("button", { name: "Switch off" }));
  expect(await notifications.findByRole("alert")).toHaveTextContent("The disk is full.");
  own.refusal = null;
  await user.click(notifications.getByRole("button", { name: "Switch off" }));

  expect(await notifications.findByText("Saved.")).toBeVisible();
  expect(own.notificationsSince).toBeUndefined();
  expect(notifications.getByRole("button", { name: "Switch on" })).toHaveFocus();
  expect(screen.queryByRole("group", { name: "About which alerts?" })).toBeNull();
});

test("notifications are offered without a mail server, too", async () => {
  withNtfy((backend) => {
    backend.sendsEmail = false;
  });

  expect(await screen.findByRole("button", { name: "Switch on" })).toBeVisible();
  expect(
    screen.getByText(/^It says that there is something to look at, without a name or words\.$/u),
  ).toBeVisible();
  expect(screen.queryAllByRole("checkbox")).toEqual([]);
});

test("when the ntfy server is gone, notifications can still be switched off", async () => {
  const { user, own } = begin((backend) => {
    backend.family("parent@example.com").subscription.notificationsSince = "2026-11-05T17:00:00Z";
  });

  expect(
    await screen.findByText("The person who set up this server has switched notifications off."),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: "Make a new code" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Switch off" }));

  await waitFor(() => expect(own.notificationsSince).toBeUndefined());
  await waitFor(() => expect(screen.queryByRole("region", { name: "Notifications on my phone" })).toBeNull());
});

test("the administrator's webhook is named, and can be refused", async () => {
  const { user, own } = begin((backend) => {
    backend.family("parent@example.com").subscription.webhook = "home.example.com";
  });

  const passedOn = within(await screen.findByRole("region", { name: "Passed on" }));
  expect(passedOn.getByText(/also sends alerts to home\.example\.com:/u)).toBeVisible();
  await user.click(passedOn.getByRole("checkbox", { name: "Send no alerts about my children there" }));

  expect(await passedOn.findByText("Saved.")).toBeVisible();
  expect(own.settings.webhook_refused).toBe(true);
});

test("the bell's menu leads there", async () => {
  const { user, path } = renderAt("/child/2/summary");

  await user.click(await screen.findByRole("button", { name: /^Alerts/u }));
  await user.click(screen.getByRole("menuitem", { name: "Choose how we tell you" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "Subscription" })).toHaveFocus());
  expect(path()).toBe("/child/2/subscription");
});

test("You lists what was confirmed, and leads there", async () => {
  const backend = new FakeBackend();
  const own = backend.family("parent@example.com").subscription;
  const { user } = renderAt("/you", { backend });
  const none = "Off: our emails never quote anyone.";
  expect(await screen.findByText(none)).toBeVisible();
  own.quotesSince = "2026-11-03T17:00:00Z";
  own.notificationsSince = "2026-11-05T17:00:00Z";
  const shown = within(screen.getByRole("region", { name: "Messages to you" }));

  await user.click(await shown.findByRole("link", { name: "Choose how we tell you" }));

  expect(await screen.findByRole("heading", { name: "Subscription" })).toBeVisible();
});

test("You lists the devices that are notified", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").subscription.push = { since: "2026-11-05T17:00:00Z", others: 2 };

  renderAt("/you", { backend });

  const shown = within(await screen.findByRole("region", { name: "Messages to you" }));
  expect(await shown.findByText("Notifications go to 3 devices of yours.")).toBeVisible();
  expect(shown.queryByText(/^Off: our emails/u)).toBeNull();
});

test("after the first watched phrase, a line offers to choose messages, until something is on", async () => {
  const backend = new FakeBackend();
  const own = backend.family("parent@example.com").subscription;
  const { user, router } = renderAt("/child/1/alerts/phrases", { backend });
  const field = await screen.findByRole("textbox", { name: "A phrase of your own" });
  expect(screen.queryByRole("link", { name: "Choose how we tell you" })).toBeNull();

  await user.type(field, "our secret{Enter}");
  await user.click(await screen.findByRole("button", { name: "Watch for it" }));
  await user.click(await screen.findByRole("link", { name: "Choose how we tell you" }));
  await user.click(await screen.findByRole("checkbox", sendEmail));
  await waitFor(() => expect(own.settings.at_once.email).toBe(true));

  await router.navigate("/child/1/alerts/phrases");
  expect(await screen.findByRole("button", { name: "Stop our secret" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("link", { name: "Choose how we tell you" })).toBeNull());
});

test("emails that do not arrive are shown with the reason, and a test shows what became of it", async () => {
  const { user, own } = told((backend) => {
    const { subscription } = backend.family("parent@example.com");
    subscription.arrivals.email = {
      refused: { since: "2026-11-24T17:15:00Z", why: "The mail server refused the recipient (code 550)." },
    };
  });
  const group = await screen.findByRole("region", { name: "Do they arrive?" });
  expect(await within(group).findByRole("alert")).toHaveTextContent(
    /^Nothing has arrived since .*Nov 2[45].*\. The mail server refused the recipient \(code 550\)\.$/u,
  );

  await user.click(within(group).getByRole("button", { name: "Send me a test" }));

  expect(await within(group).findByText("A test is on its way.")).toBeVisible();
  await waitFor(() => expect(within(group).queryByRole("alert")).toBeNull());
  expect(within(group).getByText(/^Last sent on /u)).toBeVisible();

  own.tested = { taken: false, outcome: "The mail server did not take the user name and password." };
  await user.click(within(group).getByRole("button", { name: "Send me a test" }));
  expect(
    await within(group).findByText("The mail server did not take the user name and password."),
  ).toBeVisible();
});

test("after a restored backup the guardian is asked, until the choices are confirmed", async () => {
  const { user, own } = told((backend) => {
    backend.family("parent@example.com").subscription.restored = {
      restored_at: "2026-11-24T17:15:00Z",
      quotes: true,
      notifications: true,
    };
  });
  expect(
    await screen.findByText(/Off since then: Notifications on my phone and Quotes and topics\./u),
  ).toBeVisible();

  await user.click(screen.getByRole("button", { name: "These choices are right" }));

  await waitFor(() => expect(own.restored).toBeUndefined());
  await waitFor(() => expect(screen.queryByText(/restored from a backup/u)).toBeNull());
});
