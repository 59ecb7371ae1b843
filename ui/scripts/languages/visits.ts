/** The pages that the walk opens: each route, as guardians whose families are in other states. */
export interface Visit {
  /** The guardian who is signed in; null if nobody is. */
  as: string | null;
  path: string;
  /** Changes to the fake backend, see `src/test/browser.ts`. */
  backend?: object;
  /** Whether its buttons are pressed. */
  isPressed: boolean;
}

const PARENT = "parent@example.com";
const AT = "2026-11-22T17:00:00Z";
const LATER = "2036-11-29T17:00:00Z";
const token = (kind: string, letter: string) => `${kind}_${letter.repeat(43)}`;

/** A server that can't yet be sure of who asks, and other guardians, who ask for something. */
const careful = { stepUp: { steppedUp: false, hasOtherDevice: true, hasAccount: true, canLink: true } };
const answers = { shown: true, confirmed: false, due_at: LATER };
const ben = { is_you: false, name: "Ben" };
const asked = {
  asking: [{ sign_in_id: "b", device: { device: "Firefox on Android", address: "192.168.1.21", at: AT } }],
  stepUp: { areNew: true },
  household: {
    others: [ben],
    lastBackupAt: AT,
    upstreams: [{ name: "home", host: "192.168.1.5:11434", private: true }],
    asked: [
      {
        child_id: 1,
        kind: "deletion",
        edition: "a",
        by: ben,
        at: AT,
        conversations: 30,
        names: ["Mia"],
        answers,
      },
      {
        child_id: 1,
        kind: "retention",
        edition: "c",
        by: ben,
        at: AT,
        conversations: 3,
        names: [],
        days: 90,
        answers,
      },
    ],
    invitations: [
      {
        invitation_id: "inv_1",
        edition: "b",
        by: ben,
        children: [1],
        email: "cleo@example.org",
        at: AT,
        accepted: true,
        accepted_by: "Cleo",
        accepted_address: { email: "cleo@example.org", verified: false },
        answers,
      },
    ],
    connections: {
      asi_kitchen: {
        heard_at: AT,
        follows_rules: true,
        seen: ["times"],
        settings_dropped: 2,
        plugin: { name: "home-assistant", version: "0.0.9", current_version: "0.1.0", is_older: true },
      },
      asi_shared: { refused: "host", refused_at: AT },
    },
  },
};
const messages = {
  family: {
    subscription: {
      server: "https://ntfy.example.com",
      notificationsSince: AT,
      webhook: "hooks.example.com",
      quotesSince: AT,
      restored: { at: AT, from: AT },
      settings: { at_once: { email: true, urgent_passes: true }, weekly: { enabled: true }, quotes: true },
    },
  },
};

const everyChildPage = [
  "summary",
  "activities/completed",
  "activities/upcoming",
  "metrics",
  "transcripts",
  "transcripts/deleted",
  "alerts",
  "alerts/phrases",
  "context",
  "topic-blocklist",
  "topic-blocklist/try",
  "settings",
  "settings/times",
  "settings/assistants",
  "settings/assistants/connect",
  "settings/people",
  "settings/ai-reader",
  "settings/profile",
  "subscription",
  "for-child",
];
const needs = [
  "urgent",
  "alert",
  "not_reached",
  "rules_refused",
  "rules_unconfirmed",
  "rules_incomplete",
  "not_saved",
  "not_reviewed",
  "silent",
  "nothing_heard",
  "no_assistant",
];

const pressed = (as: string | null, path: string, backend?: object): Visit => ({
  as,
  path,
  isPressed: true,
  ...(backend !== undefined && { backend }),
});
const opened = (as: string | null, path: string, backend?: object): Visit => ({
  ...pressed(as, path, backend),
  isPressed: false,
});

export const visits: readonly Visit[] = [
  pressed(null, "/login"),
  ...["denied", "unknown_guardian", "unverified_email", "not_linked", "expired", "failed"].map((error) =>
    opened(null, `/login#error=${error}`),
  ),
  pressed(null, "/finish-sign-in"),
  pressed(null, `/finish-sign-in#token=${token("lnk", "x")}`),
  pressed(null, `/finish-sign-in#token=${token("lnk", "y")}`),
  opened(null, "/welcome"),
  pressed(null, `/welcome#setup=${token("set", "S")}`, { setup: { open: true } }),
  opened(null, `/welcome#setup=${token("set", "S")}`),
  opened(null, "/invitation"),
  pressed(null, `/invitation#token=${token("ivt", "I")}`),
  pressed(null, `/invitation#token=${token("ivt", "x")}`),
  pressed("nobody@example.com", `/invitation#token=${token("ivt", "I")}`),
  pressed(PARENT, `/invitation#token=${token("ivt", "I")}`, { invitationWaits: true }),
  opened(null, "/pair"),
  pressed(null, `/pair#token=${token("par", "P")}`, {
    pairing: { state: { state: "waiting", until: LATER } },
  }),
  opened(null, `/pair#token=${token("par", "P")}`),
  opened(null, "/address"),
  pressed(null, `/address#token=${token("adr", "A")}`),
  pressed(null, `/address#stop=${token("ads", "A")}`),
  pressed("nobody@example.com", "/"),
  pressed("no-list@example.com", "/"),
  opened("one@example.com", "/"),
  pressed(PARENT, "/nowhere"),
  opened(PARENT, "/child/404/summary"),
  pressed(PARENT, "/you"),
  pressed(PARENT, "/you", { ...careful, sendsEmail: false }),
  ...everyChildPage.map((page) => pressed(PARENT, `/child/1/${page}`)),
  ...everyChildPage.map((page) => opened(PARENT, `/child/204/${page}`)),
  ...everyChildPage.map((page) => opened(PARENT, `/child/503/${page}`)),
  ...["summary", "metrics", "transcripts", "settings/times"].map((page) =>
    opened(PARENT, `/child/102/${page}`),
  ),
  ...["101", "102", "204", "503", "999"].map((session) =>
    pressed(PARENT, `/child/1/transcripts?session=${session}`),
  ),
  pressed(PARENT, "/child/2/transcripts?session=202"),
  ...["app", "home-assistant", "xiaozhi", "speaker", "pipecat", "other", "nothing"].map((source) =>
    pressed(PARENT, `/child/1/settings/assistants/connect/${source}`),
  ),
  opened(PARENT, "/child/1/settings/assistants/connect/home-assistant/steps?assistant=asi_kitchen"),
  pressed(PARENT, "/child/1/summary", asked),
  pressed(PARENT, "/child/1/settings/assistants", asked),
  pressed(PARENT, "/child/1/settings/people", asked),
  pressed(PARENT, "/child/1/settings/people", careful),
  pressed(PARENT, "/child/1/settings/profile", careful),
  pressed(PARENT, "/child/1/subscription", messages),
  ...["alerts", "settings/ai-reader"].flatMap((page) => [
    pressed("reader@example.com", `/child/1/${page}`),
    pressed("reader@example.com", `/child/2/${page}`),
  ]),
  ...["1", "2"].map((child) => pressed("tries@example.com", `/child/${child}/topic-blocklist/try`)),
  ...["2", "3", "4", "5", "6", "7", "8", "9"].map((id) =>
    pressed("tries@example.com", `/child/1/topic-blocklist/try/${id}`),
  ),
  pressed("alerts@example.com", "/child/1/alerts"),
  ...needs.map((state) => opened(`${state}@needs.example.com`, "/child/1/summary")),
  ...["transcripts", "transcripts?session=101", "activities/completed", "activities/upcoming"].map((page) =>
    opened("damaged@example.com", `/child/1/${page}`),
  ),
  opened("damaged@example.com", "/child/2/transcripts"),
  ...["7", "8", "9"].flatMap((child) =>
    ["summary", "activities/completed", "activities/upcoming", "metrics", "topic-blocklist"].map((page) =>
      opened("hostile@example.com", `/child/${child}/${page}`),
    ),
  ),
  opened("hostile@example.com", "/child/7/transcripts?session=701"),
];
