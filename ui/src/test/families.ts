import {
  type FakeActivities,
  activitiesOfMia,
  hostileActivities,
  noActivities,
} from "./fake-backend-activities";
import {
  type FakeAlerts,
  alertsOf,
  alertsOfEachKind,
  phraseAlert,
  reviewerAlert,
} from "./fake-backend-alerts";
import { FakeAttention, type FakeNeed, assistantOf } from "./fake-backend-attention";
import { type FakeBlockList, blockListOf } from "./fake-backend-blocked-topics";
import type { FakeContext } from "./fake-backend-context";
import type { FakeProfile } from "./fake-backend-profile";
import type { FakeDeleted, FakePeriod } from "./fake-backend-retention";
import { FakeReviewer, goodFigures } from "./fake-backend-reviewer";
import { type FakeRules, rulesOf, rulesOfMia } from "./fake-backend-rules";
import { FakeSubscription } from "./fake-backend-subscription";
import { FakeTries, elsewhere, reader, tablet, triesInEachState } from "./fake-backend-tries";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

export interface FakeSession extends Omit<Schemas["Session"], "message_count"> {
  messages: Schemas["Message"][];
}

export interface Family extends FakeActivities {
  /** Rows of lists (sessions, messages, activities) that exist but can't be read. */
  unreadable: Set<object>;
  guardian: Schemas["Guardian"];
  /** The status with which the list of children fails; null if it succeeds. */
  childrenFail: number | null;
  /** Most recently used first. */
  signIns: Schemas["SignIn"][];
  children: Schemas["Child"][];
  /** Newest first. */
  sessions: FakeSession[];
  /** Most recently deleted first. */
  deleted: FakeDeleted[];
  /** What was deleted permanently, of any child, newest first. */
  deletions: components["schemas"]["Deletion"][];
  /** For how long conversations are kept, by child. */
  periods: Map<number, FakePeriod>;
  /** The sessions that the guardian keeps. */
  kept: Set<number>;
  /** Whether the guardian may delete sessions permanently, as the children's only guardian. */
  mayErase: boolean;
  /** The guardian's own, by child. */
  alerts: Map<number, FakeAlerts>;
  attention: FakeAttention;
  /** By child. */
  blockLists: Map<number, FakeBlockList>;
  /** By child. */
  contexts: Map<number, FakeContext>;
  /** What was said of each child. */
  profiles: Map<number, FakeProfile>;
  /** The edition of each child's page. */
  editions: Map<number, components["schemas"]["PageEdition"]>;
  /** What each child was curious about. */
  curious: components["schemas"]["ConversationStarters"];
  /** Who looked, for each child. */
  looks: components["schemas"]["AccessLog"];
  /** Whether a model reads along, by child. */
  reviewers: Map<number, FakeReviewer>;
  /** By child. */
  tries: Map<number, FakeTries>;
  /** Assistants of the household whose AI can be asked, besides those of the fake household. */
  behindGateway: Schemas["OwnAssistant"][];
  /** By child. */
  rules: Map<number, FakeRules>;
  /** The guardian's own. */
  subscription: FakeSubscription;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** One message: its speaker, its text, the seconds since the previous one, and whether it was interrupted. */
type Line = [source: string | undefined, text: string | undefined, after?: number, interrupted?: true];

const moon: Line[] = [
  ["child", "Why does the moon follow our car when we drive?"],
  [
    "assistant",
    "It looks like it follows you because it is so far away. Trees near the road slide past quickly, but the moon is about 384,000 kilometres off, so it hardly moves in your view.",
  ],
  ["child", "So it is not really following us?"],
  ["assistant", "Right. Everybody in every car sees the very same thing tonight."],
  ["child", "Even my abuela in Bogotá? ¡Qué chévere! 🌙"],
  [
    "assistant",
    "Even your abuela in Bogotá! She may see it tilted the other way, because she lives much closer to the equator.",
  ],
  ["child", "Tell me everything about the moon landing.", 420],
  [
    "assistant",
    "In July 1969 three astronauts flew for four days to reach the moon. Michael Collins stayed in orbit while Neil Armstrong and Buzz Aldrin climbed down a",
    5,
    true,
  ],
  ["child", "Wait wait, did they bring snacks?", 1],
  ["child", "Like real snacks?", 2],
  [
    "assistant",
    "They did! One of the first things they ate on the moon was bacon, with peaches and sugar cookie cubes.",
  ],
  ["child", "Thank you, good night!"],
  ["assistant", "Good night, sleep well."],
];

const fractions: Line[] = [
  [
    "assistant",
    "Shall we cut the pizza again? If you and two friends share it, what part does each of you get?",
  ],
  ["child", "A third!"],
  ["assistant", "Exactly, one third. And if a fourth friend comes by?"],
  ["child", "Then everybody gets less. A quarter."],
  ["assistant", "Yes. The bigger the number below the line, the smaller the piece."],
];

/** The data of the guardian with this e-mail address. */
export function familyOf(email: string): Family {
  const empty: Family = {
    guardian: { id: `guardian-${email}`, email },
    unreadable: new Set(),
    childrenFail: null,
    signIns: signInsOf(),
    children: [],
    sessions: [],
    deleted: [],
    deletions: [],
    periods: new Map(),
    kept: new Set(),
    mayErase: true,
    alerts: new Map(),
    attention: new FakeAttention(),
    blockLists: new Map(),
    contexts: new Map(),
    subscription: new FakeSubscription(),
    profiles: new Map(),
    editions: new Map(),
    curious: { on: true, questions: [] },
    looks: { today: new Date().toISOString().slice(0, 10), own: [], others: [] },
    reviewers: new Map(),
    tries: new Map(),
    behindGateway: [],
    rules: new Map(),
    ...noActivities(),
  };
  const state = /^(.+)@needs\.example\.com$/u.exec(email)?.[1];
  if (state !== undefined) return familyInState(empty, state);
  switch (email) {
    case "nobody@example.com":
      return empty;
    case "no-list@example.com":
      return { ...empty, childrenFail: 503 };
    case "one@example.com":
      return {
        ...empty,
        ...activitiesOfMia(),
        children: [{ child_id: 1, name: "Mia" }],
        sessions: sessionsOfMia(),
      };
    case "hostile@example.com":
      return hostileFamily(empty);
    case "damaged@example.com":
      return damagedFamily(empty);
    case "reader@example.com": {
      const urgent = {
        concern: "self_harm",
        severity: "urgent",
        model: "llama3.1:8b",
        not_worrying: false,
      } as const;
      const alerts = alertsOf(
        reviewerAlert(3, 5),
        phraseAlert(2, 90),
        reviewerAlert(1, 2000, { unseen: false, flagged: urgent }),
      );
      alerts.notWorrying.add("danger");
      const [off, waiting] = [new FakeReviewer(), new FakeReviewer()];
      off.offer(false);
      waiting.offer(false, { figures: { ...goodFigures, false_alarms_a_week: 3, unfit: true } });
      waiting.switchOnElsewhere();
      return {
        ...familyOf("parent@example.com"),
        guardian: empty.guardian,
        alerts: new Map([[1, alerts]]),
        reviewers: new Map([
          [1, off],
          [2, waiting],
        ]),
      };
    }
    case "tries@example.com":
      return {
        ...familyOf("parent@example.com"),
        guardian: empty.guardian,
        behindGateway: [tablet],
        tries: new Map([
          [1, new FakeTries(triesInEachState())],
          [2, new FakeTries([], { ...elsewhere, reviewer: reader, reviewer_requests: 1 })],
        ]),
      };
    case "alerts@example.com":
      return {
        ...familyOf("parent@example.com"),
        guardian: empty.guardian,
        alerts: new Map([[1, alertsOf(...alertsOfEachKind())]]),
      };
    default:
      return {
        ...empty,
        ...activitiesOfMia(),
        guardian: { ...empty.guardian, name: "Robin Keller" },
        children: [
          { child_id: 1, name: "Mia" },
          { child_id: 2, name: "Noah" },
          { child_id: 204, name: "Empty" },
          { child_id: 503, name: "Fails" },
          { child_id: 102, name: "Slow" },
        ],
        sessions: [...sessionsOfMia(), ...sessionsOfNoah()],
        rules: new Map([[1, rulesOfMia()]]),
        blockLists: new Map([
          [1, { ...blockListOf("Horror films", "Buying things online", "Grandpa's illness"), guardians: 2 }],
          [2, blockListOf("Scary clowns")],
        ]),
      };
  }
}

/** Mia is in this state of Summary's first card. About Noah something rings, too, unless it is quiet. */
function familyInState(empty: Family, state: string): Family {
  const sessions = sessionsOfMia().map((one) => ({ ...one, ended: true, assistant: "Kitchen" }));
  const isUnheard = state === "nothing_heard" || state === "no_assistant";
  const receipts = ["Kitchen", "Tablet"].map((name) => ({ name, kind: "following" as const }));
  const rules = rulesOf({ receipts: { number: 1, topics_number: 1, assistants: receipts } });
  const family: Family = {
    ...empty,
    ...(isUnheard ? {} : activitiesOfMia()),
    children: [
      { child_id: 1, name: "Mia" },
      { child_id: 2, name: "Noah" },
    ],
    sessions: isUnheard ? [] : sessions,
    rules: new Map(state === "no_assistant" ? [] : [[1, rules]]),
  };
  const phrases = Array.from({ length: 12 }, (_, index) => ({
    words: `phrase ${index}`,
    side: "either" as const,
  }));
  const urgent = {
    flagged: { concern: "self_harm", severity: "urgent", model: "llama3.1:8b", not_worrying: false },
  } as const;
  const mia = alertsOf(
    ...(state === "urgent" ? [reviewerAlert(9, 30, urgent)] : []),
    ...(state === "urgent" || state === "alert" ? [phraseAlert(8, 20), phraseAlert(7, 1500)] : []),
  );
  family.alerts.set(1, { ...mia, phrases: isUnheard ? [] : phrases });
  if (state === "urgent") family.alerts.set(2, alertsOf(phraseAlert(6, 50), phraseAlert(5, 90)));
  if (state === "alert") family.alerts.set(2, alertsOf(reviewerAlert(6, 50, urgent)));
  family.attention.needs.set(1, needsInState(state));
  return family;
}

function needsInState(state: string): FakeNeed[] {
  const kitchen = assistantOf("Kitchen");
  const since = timeAgo(3 * DAY);
  switch (state) {
    case "not_reached":
      return [{ state, channel: "email", since }];
    case "rules_refused":
    case "rules_unconfirmed":
    case "rules_incomplete":
      return [{ state, assistant: assistantOf("Tablet") }];
    case "not_saved": {
      const { phrase: _, message_id: __, ...alert } = phraseAlert(4, 2900, { kind: "not_kept", count: 2 });
      return [{ state, alert }];
    }
    case "not_reviewed":
      return [{ state, conversations: 3 }];
    case "silent":
      return [{ state, assistant: kitchen, since }];
    default:
      return [];
  }
}

function timeAgo(time: number): string {
  return new Date(Date.now() - time).toISOString();
}

/** The sign-ins of this browser, another one, and one by the administrator's link. */
function signInsOf(): Schemas["SignIn"][] {
  return [
    { sign_in_id: "a", via: "link", started_at: timeAgo(3 * DAY), used_at: timeAgo(MINUTE), current: true },
    { sign_in_id: "b", via: "oidc", started_at: timeAgo(9 * DAY), used_at: timeAgo(DAY), current: false },
    {
      sign_in_id: "c",
      via: "command_line",
      started_at: timeAgo(20 * DAY),
      used_at: timeAgo(6 * DAY),
      current: false,
    },
  ];
}

/** A session that began `ago` ms before now. */
export function session(
  sessionId: number,
  childId: number,
  ago: number,
  lines: readonly Line[],
  more: Partial<FakeSession> = {},
): FakeSession {
  const start = Date.now() - ago;
  let clock = start;
  const messages = lines.map(([source, text, after = 8, interrupted], index): Schemas["Message"] => {
    clock += index === 0 ? 0 : after * 1000;
    return {
      message_id: `${sessionId}-${index}`,
      timestamp: new Date(clock).toISOString(),
      content_type: "text",
      ...(source !== undefined && { source }),
      ...(text !== undefined && { text_content: text }),
      ...(interrupted && { interrupted }),
    };
  });
  return {
    session_id: sessionId,
    child_id: childId,
    start_time: new Date(start).toISOString(),
    ended: true,
    messages,
    ...more,
  };
}

/** A session whose messages have the fields that the gateway gives. */
export function gatewaySession(
  sessionId: number,
  childId: number,
  ago: number,
  lines: readonly GatewayLine[],
  more: Partial<FakeSession> = {},
): FakeSession {
  const words = lines.map(([source, text]): Line => [source, text]);
  const { messages, ...rest } = session(sessionId, childId, ago, words, more);
  return { ...rest, messages: messages.map((message, index) => ({ ...message, ...lines[index]?.[2] })) };
}

export type GatewayLine = [source: string, text: string, fields?: Partial<Schemas["Message"]>];

/** Each kind of text that the gateway keeps. */
const owls: GatewayLine[] = [
  ["app", "You are a friendly pirate. Keep answers short.", { kind: "instructions" }],
  ["child", "Do owls sleep?", { kind: "earlier" }],
  ["assistant", "Mostly by day.", { kind: "earlier", from_app: true }],
  ["child", "Why do owls turn their heads?"],
  ["assistant", "She asks about owls. I should look up the eyes.", { kind: "reasoning" }],
  ["assistant", 'encyclopedia {"entry": "owl eyes"}', { event_type: "tool_call" }],
  ["tool", "Owl eyes are tubes, held in place by bone.", { kind: "tool" }],
  [
    "assistant",
    "Their eyes can't move, so the whole head does. And did you know that they have fourteen bones in the neck?",
    { interrupted: true, heard: 46 },
  ],
  ["child", "Generate a short title for this conversation.", { kind: "background" }],
  ["assistant", "Owls and their heads", { kind: "background" }],
  ["child", "All the way round?"],
  [
    "assistant",
    `draw {"shape": "owl", "parts": "${"head, eye, eye, beak, wing, wing, tail; ".repeat(8)}"}`,
    { event_type: "tool_call" },
  ],
  ["assistant", "Almost: three quarters of the way.", { generated: true }],
];

function sessionsOfMia(): FakeSession[] {
  const older = Array.from({ length: 70 }, (_, index) =>
    session(1000 + index, 1, (index + 6) * DAY, fractions, {
      topic:
        ["Fractions with pizza", "How bees find home", "Reading: The lost kite", "Why leaves turn red"][
          index % 4
        ] ?? "",
    }),
  );
  return [
    session(101, 1, 25 * MINUTE, moon, { topic: "Moon and stars", ended: false }),
    session(102, 1, DAY, fractions, { topic: "Fractions with pizza" }),
    session(103, 1, 2 * DAY, [
      [undefined, "Who is speaking here?"],
      ["assistant", undefined],
      ["child", "Two thousand and one, two thousand and two."],
    ]),
    session(503, 1, 3 * DAY, fractions, { topic: "A session that can't be read" }),
    session(204, 1, 4 * DAY, [], { topic: "A session without words" }),
    ...older,
  ];
}

/** Of Mia's lists some rows can't be read, of Noah's none can. */
function damagedFamily(empty: Family): Family {
  const mia = activitiesOfMia();
  const noah = activitiesOfMia();
  const sessions = [...sessionsOfMia(), ...sessionsOfNoah()];
  const rows = {
    completed: { mia: mia.completed.get(1) ?? [], noah: noah.completed.get(1) ?? [] },
    upcoming: { mia: mia.upcoming.get(1) ?? [], noah: noah.upcoming.get(1) ?? [] },
    moon: sessions[0]?.messages ?? [],
    fractions: sessions[1]?.messages ?? [],
  };
  return {
    ...empty,
    ...mia,
    completed: mia.completed.set(2, rows.completed.noah),
    upcoming: mia.upcoming.set(2, rows.upcoming.noah),
    children: [
      { child_id: 1, name: "Mia" },
      { child_id: 2, name: "Noah" },
    ],
    sessions,
    unreadable: new Set([
      ...sessions.filter(
        ({ session_id, child_id }) => child_id === 2 || [103, 1002, 1066].includes(session_id),
      ),
      ...rows.moon.slice(3, 5),
      ...rows.fractions,
      ...rows.completed.mia.slice(2, 4),
      ...rows.completed.noah,
      ...rows.upcoming.mia.slice(1, 2),
      ...rows.upcoming.noah,
    ]),
  };
}

function sessionsOfNoah(): FakeSession[] {
  return [
    session(201, 2, 3 * 60 * MINUTE, fractions, { topic: "Dinosaurs" }),
    gatewaySession(202, 2, DAY, owls, { topic: "Owls" }),
  ];
}

function hostileFamily(empty: Family): Family {
  const long: Line[] = Array.from({ length: 5000 }, (_, index): Line => {
    const source = index % 2 === 0 ? "child" : "assistant";
    return [source, `${index + 1}. ${"and then it went on and on ".repeat(1 + ((index * 7) % 12))}`];
  });
  return {
    ...empty,
    ...hostileActivities(),
    guardian: { ...empty.guardian, name: "Maximiliana-Alexandrina von Hohenlohe-Waldenburg-Schillingsfürst" },
    children: [
      { child_id: 7, name: "Wolfeschlegelsteinhausenbergerdorffmaximilian" },
      { child_id: 8, name: "نور الهدى" },
      { child_id: 9, name: "👩‍🚀🌙⭐️" },
    ],
    sessions: [
      session(
        701,
        7,
        MINUTE,
        [
          ["child", "لماذا يتبعنا القمر عندما نقود السيارة؟ And in English again."],
          [
            "assistant",
            `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft${"a".repeat(200)}`,
          ],
          ["child", "🌙🌙🌙 👩‍🚀"],
          ["assistant", "Some text that says \u202Edesrever ton si siht\u202C, really."],
          [
            "a sibling with a very long label that nobody expected to be that long",
            "<b>Not bold</b> & not a tag",
          ],
          ["child", "One line\nanother line\n\n\tand a tab"],
          ["child", "   "],
        ],
        { topic: "Wolfeschlegelsteinhausenbergerdorffmaximilianundnochvielmehr", ended: false },
      ),
      session(5000, 7, 30 * DAY, long, { topic: "A session of 5,000 messages" }),
      session(801, 8, 30 * DAY, [["child", "مرحبا"]], { topic: "القمر والنجوم" }),
    ],
    blockLists: new Map([
      [
        7,
        {
          ...blockListOf(...Array.from({ length: 499 }, (_, index) => `Topic number ${index + 1}`)),
          guardians: 3,
        },
      ],
      [
        8,
        blockListOf(
          "الأشباح والأرواح",
          "👻👻👻",
          "a".repeat(200),
          "and so it goes on and on ".repeat(8).trim(),
          "<b>Not bold</b> & not a tag",
          "Turned \u202Earound",
        ),
      ],
    ]),
  };
}
