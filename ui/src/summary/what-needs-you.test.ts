import { expect, test } from "vitest";

import { moreSentence, needSentence, placeOf, sightSentence } from "./what-needs-you";
import type { components } from "../api/generated/schema";
import { type ChildAttention, ringingWords } from "../children/attention";

type Alert = components["schemas"]["Alert"];

const now = new Date(2026, 10, 24, 18, 24);

/** A time of this Tuesday by the viewer's clock, or of another day of November. */
function at(hour: number, minute: number, day = 24): string {
  return new Date(2026, 10, day, hour, minute).toISOString();
}

const assistant = { assistant_id: "asi_1", name: "Kitchen", not_in_use: false };

function alert(more: Partial<Alert>): Alert {
  return {
    alert_id: 9,
    kind: "phrase",
    arrived_at: at(16, 20),
    at: at(16, 20),
    unseen: true,
    dealt_with: false,
    count: 1,
    session_id: 7,
    assistant: "Kitchen",
    ...more,
  };
}

const flagged = { concern: "self_harm", severity: "urgent", model: "m", not_worrying: false } as const;
const urgent = alert({ kind: "reviewer", flagged });
const phrase = alert({ phrase: { words: "our secret", side: "either" } });
const talked = alert({ kind: "outside_times", minutes: 6, why: "quiet_hours" });
const lost = (count: number, when: string) => alert({ kind: "not_kept", count, at: when });

function attention(more: Partial<ChildAttention>): ChildAttention {
  return {
    child_id: 1,
    child_name: "Mia",
    state: "nothing_open",
    more: 0,
    open_alerts: 0,
    sees: { assistants: [assistant], watched_phrases: 12, reviewer: false },
    ...more,
  };
}

const ALERTS = { to: "/child/1/alerts", state: { alert: 9 } };
const ASSISTANTS = { to: "/child/1/settings/assistants" };
const TRIES = { to: "/child/1/topic-blocklist/try" };

test.each<[Partial<ChildAttention>, string, ReturnType<typeof placeOf>]>([
  [
    { state: "urgent", alert: urgent },
    `An AI reader flagged "self-harm" in Mia's conversation with Kitchen, today at 4:20 PM. It can be wrong.`,
    ALERTS,
  ],
  [
    { state: "urgent", alert: { ...urgent, at: at(9, 5, 23) } },
    `An AI reader flagged "self-harm" in Mia's conversation with Kitchen, yesterday at 9:05 AM. It can be wrong.`,
    ALERTS,
  ],
  [
    { state: "urgent", alert: { ...urgent, at: at(9, 5, 3) } },
    `An AI reader flagged "self-harm" in Mia's conversation with Kitchen, on Nov 3 at 9:05 AM. It can be wrong.`,
    ALERTS,
  ],
  [
    { state: "alert", alert: phrase },
    `"Our secret" was said in Mia's conversation with Kitchen at 4:20 PM.`,
    ALERTS,
  ],
  [
    { state: "alert", alert: talked },
    "Mia and Kitchen talked for 6 minutes during quiet hours, from 4:20 PM.",
    ALERTS,
  ],
  [
    { state: "not_reached", channel: "email", since: at(8, 0, 19) },
    "Alerts don't reach you: our email to you was refused on Thursday.",
    { to: "/child/1/subscription" },
  ],
  [
    { state: "not_reached", channel: "email", since: at(8, 0) },
    "Alerts don't reach you: our email to you was refused today.",
    { to: "/child/1/subscription" },
  ],
  [
    { state: "not_reached", channel: "notification", since: at(8, 0, 3) },
    "Alerts don't reach you: a notification to your phone was refused on Nov 3.",
    { to: "/child/1/subscription" },
  ],
  [{ state: "rules_refused", assistant }, "Kitchen refused your rules.", ASSISTANTS],
  [{ state: "rules_unconfirmed", assistant }, "Kitchen hasn't confirmed your rules.", ASSISTANTS],
  [{ state: "rules_incomplete", assistant }, "Kitchen may not get all your rules.", TRIES],
  [
    { state: "not_saved", alert: lost(2, at(8, 0, 19)) },
    "2 messages of a conversation on Thursday couldn't be saved.",
    ALERTS,
  ],
  [
    { state: "not_saved", alert: lost(1, at(8, 0)) },
    "1 message of a conversation today couldn't be saved.",
    ALERTS,
  ],
  [
    { state: "not_reviewed", conversations: 3 },
    "3 conversations were not reviewed.",
    { to: "/child/1/settings/ai-reader" },
  ],
  [
    { state: "not_reviewed", conversations: 1 },
    "1 conversation was not reviewed.",
    { to: "/child/1/settings/ai-reader" },
  ],
  [
    { state: "silent", assistant, since: at(8, 0, 19) },
    "Kitchen hasn't connected since Thursday.",
    ASSISTANTS,
  ],
  [
    {
      state: "nothing_open",
      last_heard: { last_message_time: at(14, 21), session_id: 7, assistant: "Kitchen" },
    },
    "No open alerts. Last heard: Kitchen, today at 2:21 PM.",
    { to: "/child/1/transcripts?session=7" },
  ],
  [
    { state: "nothing_open", last_heard: { last_message_time: at(14, 21, 3), session_id: 7 } },
    "No open alerts. Last heard: on Nov 3 at 2:21 PM.",
    { to: "/child/1/transcripts?session=7" },
  ],
  [{ state: "nothing_heard" }, "Nothing heard yet.", ASSISTANTS],
  [{ state: "no_assistant" }, "No assistant connected.", ASSISTANTS],
])("%j reads '%s'", (more, sentence, place) => {
  expect(needSentence(attention(more), "Mia", now)).toBe(sentence);
  expect(placeOf(attention(more))).toEqual(place);
});

test.each([
  [0, null],
  [1, "and 1 more"],
  [2, "and 2 more"],
])("with %s others the card ends in '%s'", (more, sentence) => {
  expect(moreSentence(attention({ more }))).toBe(sentence);
});

const named = (...names: string[]) => names.map((name) => ({ ...assistant, name }));

test.each([
  [
    named("Kitchen", "Tablet"),
    12,
    false,
    "Porchlight sees only what Kitchen and Tablet send. You watch for 12 phrases. AI reader: off.",
  ],
  [
    named("Kitchen"),
    1,
    true,
    "Porchlight sees only what Kitchen sends. You watch for 1 phrase. AI reader: on.",
  ],
  [
    named("Kitchen"),
    0,
    true,
    "Porchlight sees only what Kitchen sends. You watch for 0 phrases. AI reader: on.",
  ],
  [
    named("Kitchen"),
    0,
    false,
    "Porchlight sees only what Kitchen sends. You watch for nothing, so no words can alert you.",
  ],
  [
    named("Car", "Kitchen", "Robot", "Tablet"),
    2,
    false,
    "Porchlight sees only what Car, Kitchen, and 2 other assistants send. You watch for 2 phrases. AI reader: off.",
  ],
  [[], 12, false, "Porchlight sees only assistants connected here. It can't see the ChatGPT app."],
])(
  "how far Porchlight sees with %j, %s phrases and a reader: %s",
  (assistants, phrases, reviewer, sentence) => {
    expect(sightSentence({ assistants, watched_phrases: phrases, reviewer })).toBe(sentence);
  },
);

test.each<[Partial<ChildAttention>, string | null]>([
  [{ state: "urgent", open_alerts: 3 }, "please look now"],
  [{ state: "alert", open_alerts: 1 }, "1 alert"],
  [{ state: "alert", open_alerts: 2 }, "2 alerts"],
  [{ state: "not_reached" }, null],
  [{ state: "nothing_open" }, null],
])("%j rings on another child's page as '%s'", (more, words) => {
  expect(ringingWords(attention(more))).toBe(words);
});
