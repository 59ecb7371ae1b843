/** What needs stepping up asks for it, keeps what was typed, and is then done, on each page. */
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { reviewerIn } from "../test/fake-backend-reviewer";
import { EMAILS_CODE } from "../test/fake-backend-step-up";
import { tablet } from "../test/fake-backend-tries";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { stepUpOperations } from "../test/step-up-operations";

interface Action {
  /** The operation in openapi.yaml. */
  operation: string;
  path: string;
  prepare?: (backend: FakeBackend) => void;
  /** Performs the action up to the dialog. */
  act: (user: UserEvent) => Promise<void>;
  /** The input, which must be kept. */
  typed?: string;
  /** What is shown once it is done. */
  done: () => Promise<unknown>;
}

const BEN = { is_you: false, name: "Ben" };

const press = (name: RegExp | string) => async (user: UserEvent) =>
  user.click(await screen.findByRole("button", { name }));

/** Presses a button of the question that is asked. */
const answer = (name: string) => async (user: UserEvent) =>
  user.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));

/** Presses a button, and the one of the question that follows. */
const confirm = (name: RegExp | string, yes: string) => async (user: UserEvent) => {
  await press(name)(user);
  await answer(yes)(user);
};

/** Presses a button, and types into the field that then has the focus. */
const typeAt = (name: string, text: string) => async (user: UserEvent) => {
  await press(name)(user);
  await waitFor(() => expect(document.activeElement).toBeInstanceOf(HTMLInputElement));
  await user.keyboard(`${text}{Enter}`);
};

const heading = (name: string) => async () => screen.findByRole("heading", { name });
const text = (words: RegExp | string) => async () => screen.findByText(words);

const actions: readonly Action[] = [
  {
    operation: "connectAssistant",
    path: "/child/1/settings/assistants/connect/home-assistant",
    act: typeAt("Go on", "Attic"),
    typed: "Attic",
    done: heading("Three steps to connect it"),
  },
  {
    operation: "inviteGuardian",
    path: "/child/1/settings/people",
    act: typeAt("Invite another guardian", "cleo@example.com"),
    typed: "cleo@example.com",
    done: text(/^The invitation is on its way to cleo/u),
  },
  {
    operation: "askForAddress",
    path: "/you",
    act: typeAt("Change your address", "moved@example.com"),
    typed: "moved@example.com",
    done: text(/^We sent an email to moved@example\.com\./u),
  },
  {
    operation: "requestChildDeletion",
    path: "/child/1/settings/profile",
    act: typeAt("Delete Mia's profile and conversations", "Mia"),
    typed: "Mia",
    done: text(/^You asked to delete Mia's profile/u),
  },
  {
    operation: "chooseRetention",
    path: "/child/1/settings/profile",
    act: async (user) => {
      await user.click(await screen.findByRole("radio", { name: "90 days" }));
      await user.click(await screen.findByRole("button", { name: "Keep them for 90 days" }));
    },
    done: async () => waitFor(() => expect(screen.getByRole("radio", { name: "90 days" })).toBeChecked()),
  },
  {
    operation: "switchReviewerOn",
    path: "/child/1/settings/ai-reader",
    prepare: (backend) => reviewerIn(backend.family("parent@example.com"), 1).offer(true),
    act: confirm(/^Switch on/u, "Switch on"),
    done: heading("On"),
  },
  {
    operation: "startTry",
    path: "/child/1/topic-blocklist/try",
    prepare: (backend) => {
      backend.family("parent@example.com").behindGateway = [tablet];
    },
    act: press("Ask Tablet now"),
    done: text("Waiting to start"),
  },
  {
    operation: "rotateAssistant",
    path: "/child/1/settings/assistants",
    act: async (user) => {
      await press("Options for Kitchen")(user);
      await user.click(await screen.findByRole("menuitem", { name: "Make a new key" }));
      await answer("Make a new key")(user);
    },
    done: text("ast_key-number-1"),
  },
  {
    operation: "chooseAssistantUpstream",
    path: "/child/1/settings/assistants",
    prepare: ({ household }) => {
      household.upstreams = [{ name: "Cloud", host: "api.example.org", form: "openai", models: ["large"] }];
      household.assistants = household.assistants.map((each) => ({ ...each, kind: "gateway" }));
    },
    act: async (user) => {
      await press("Options for Kitchen")(user);
      await user.click(await screen.findByRole("menuitem", { name: "Change the model's server" }));
      await answer("Save")(user);
    },
    done: text(/^Conversations are sent to/u),
  },
  {
    operation: "confirmInvitation",
    path: "/child/1/context",
    prepare: ({ household }) => {
      household.others = [BEN];
      household.invitations = [
        {
          invitation_id: "inv_1",
          edition: "edn_b",
          by: BEN,
          children: [1],
          email: "cleo@example.org",
          created_at: "2026-11-20T17:00:00Z",
          accepted: true,
          accepted_by: "Cleo",
          answers: { shown: false, confirmed: false },
        },
      ];
    },
    act: press("Agree"),
    done: async () =>
      waitFor(() => expect(screen.queryByRole("region", { name: "Waiting for an answer" })).toBeNull()),
  },
  {
    operation: "leaveChild",
    path: "/child/1/settings/profile",
    prepare: ({ household }) => {
      household.others = [BEN];
    },
    act: confirm("Stop seeing Mia's data", "Stop seeing Mia's data"),
    done: heading("Summary for Noah"),
  },
  {
    operation: "eraseSession",
    path: "/child/1/transcripts/deleted",
    prepare: (backend) => {
      const family = backend.family("parent@example.com");
      const [only] = family.sessions;
      if (only !== undefined) family.deleted = [{ session: only, deleted_at: "2026-11-21T20:00:00Z" }];
      family.sessions = [];
    },
    act: confirm(/^Delete permanently /u, "Delete permanently"),
    done: text("Nothing yet"),
  },
  {
    operation: "exportChild",
    path: "/child/1/summary",
    act: press("Download Mia's data"),
    done: text("The file is in your downloads."),
  },
  {
    operation: "makeRecoveryCodes",
    path: "/you",
    act: press("Make new codes"),
    done: async () => expect(await screen.findAllByText(/^K7QX-/u)).toHaveLength(10),
  },
  {
    operation: "beginPairing",
    path: "/you",
    act: press("Show a QR code"),
    done: heading("Scan this with the other device"),
  },
];

test.each(actions)(
  "$operation asks for a code, keeps what was typed, and is then done",
  async ({ path, prepare, act, typed, done }) => {
    expectLogged(/status 403/u);
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:copy");
    const backend = new FakeBackend();
    backend.stepUp.steppedUp = false;
    prepare?.(backend);
    const { user } = renderAt(path, { backend });

    await act(user);
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    await user.click(await dialog.findByRole("button", { name: "Send the code" }));
    await user.type(await dialog.findByRole("textbox", { name: "Code from the email" }), EMAILS_CODE);
    const texts = screen.getAllByRole("textbox", { hidden: true });
    const values = texts.map((field) => field instanceof HTMLInputElement && field.value);
    expect(typed === undefined || values.includes(typed)).toBe(true);
    await user.keyboard("{Enter}");

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await done();
  },
);

/** The tests of other operations, by their files. */
const elsewhere = {
  confirmRequest: "household/requests.test.tsx",
  confirmReviewer: "reviewer/reviewer.test.tsx",
  replacePushSubscription: "notifications/this-device.test.tsx",
  replaceSubscription: "notifications/notifications.test.tsx",
  switchNotificationsOn: "notifications/notifications.test.tsx",
  switchReviewerAtHome: "reviewer/reviewer.test.tsx",
};

test("every operation that requires step-up is tested", () => {
  const tested = [...actions.map(({ operation }) => operation), ...Object.keys(elsewhere)];
  expect(stepUpOperations.length).toBeGreaterThan(10);
  expect(new Set(tested)).toEqual(new Set(stepUpOperations));
});
