/** The sentences of Summary's first card, and where it leads. */
import { alertSentence, weekday } from "../alerts/sentences";
import type { components } from "../api/generated/schema";
import type { ChildAttention } from "../children/attention";
import { concernNames } from "../children/concerns";
import { relativeDay, shortDate, timeOfDay } from "../format/dates";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";
import { paths } from "../paths";
import { notReviewedSentence } from "../reviewer/words";
import type { HistoryState } from "../ui/history-state";
import { ONLY_CONNECTED } from "../children/only-connected";

type Sight = components["schemas"]["AttentionSight"];
type Alert = components["schemas"]["Alert"];

/** The gravest thing that waits. That of an urgent alert stands after 'Please look now.' */
export function needSentence(attention: ChildAttention, childName: string, now: Date): string {
  const { state, alert, assistant, since, conversations } = attention;
  const who = assistant === undefined ? "An assistant" : isolated(assistant.name);
  switch (state) {
    case "urgent":
      return alert === undefined ? "There is an open alert." : urgentSentence(alert, childName, now);
    case "alert":
      return alert === undefined ? "There is an open alert." : alertSentence(alert, childName);
    case "not_reached": {
      const refused =
        attention.channel === "notification" ? "a notification to your phone" : "our email to you";
      return `Alerts don't reach you: ${refused} was refused${since === undefined ? "" : ` ${onDay(since, now)}`}.`;
    }
    case "rules_refused":
      return `${assistant === undefined ? who : `The assistant ${who}`} refused your rules.`;
    case "rules_unconfirmed":
      return `${who} hasn't confirmed your rules.`;
    case "rules_incomplete":
      return `${who} may not get all your rules.`;
    case "not_saved": {
      const messages =
        alert?.count === 1 ? "1 message" : `${(alert?.count ?? 0).toLocaleString("en-US")} messages`;
      return `${messages}${alert === undefined ? "" : ` of a conversation ${onDay(alert.at, now)}`} couldn't be saved.`;
    }
    case "not_reviewed":
      return notReviewedSentence(conversations ?? 0) ?? "Conversations were not reviewed.";
    case "silent":
      return `${who} hasn't connected${since === undefined ? "" : ` since ${dayName(since, now)}`}.`;
    case "nothing_open":
      return `No open alerts. ${lastHeardSentence(attention, now)}`;
    case "nothing_heard":
      return "Nothing heard yet.";
    case "no_assistant":
      return "No assistant connected.";
  }
}

function urgentSentence({ flagged, assistant, at }: Alert, childName: string, now: Date): string {
  const concern = flagged === undefined ? "something" : `"${concernNames[flagged.concern]}"`;
  const withWhom = assistant === undefined ? "" : ` with ${isolated(assistant)}`;
  return `An AI reader flagged ${concern} in ${isolated(childName)}'s conversation${withWhom}, ${dayAndTime(at, now)}. It can be wrong.`;
}

function lastHeardSentence({ last_heard: last }: ChildAttention, now: Date): string {
  if (last === undefined) return "Nothing heard yet.";
  const from = last.assistant === undefined ? "" : `${isolated(last.assistant)}, `;
  return `Last heard: ${from}${dayAndTime(last.at, now)}.`;
}

/** 'today at 4:20 PM', 'on Nov 24 at 4:20 PM' */
function dayAndTime(value: string, now: Date): string {
  const day = relativeDay(value, now).toLowerCase();
  return `${day === "" ? `on ${shortDate(value, now)}` : day} at ${timeOfDay(value)}`;
}

/** 'today', 'yesterday', the weekday within the last week, else the short date. */
function dayName(value: string, now: Date): string {
  return relativeDay(value, now).toLowerCase() || weekday(value, now);
}

function onDay(value: string, now: Date): string {
  return relativeDay(value, now).toLowerCase() || `on ${weekday(value, now)}`;
}

/** 'and 2 more'; null if nothing else waits. */
export function moreSentence({ more }: ChildAttention): string | null {
  return more === 0 ? null : `and ${more.toLocaleString("en-US")} more`;
}

/** More assistants are counted. */
const NAMED = 3;

/** How far Porchlight sees. */
export function sightSentence({ assistants, watched_phrases: phrases, reviewer }: Sight): string {
  if (assistants.length === 0) return ONLY_CONNECTED;
  const sees = `Porchlight sees only what ${sendersOf(assistants)}.`;
  if (phrases === 0 && !reviewer) return `${sees} You watch for nothing, so no words can alert you.`;
  const watched = phrases === 1 ? "1 phrase" : `${phrases === 0 ? "no" : phrases} phrases`;
  return `${sees} You watch for ${watched}. AI reader: ${reviewer ? "on" : "off"}.`;
}

function sendersOf(assistants: Sight["assistants"]): string {
  const names = assistants.map(({ name }) => isolated(name));
  const [only] = names;
  if (only !== undefined && names.length === 1) return `${only} sends`;
  const more = names.length - NAMED;
  const shown = more > 0 ? [...names.slice(0, NAMED - 1), `${more + 1} other assistants`] : names;
  return `${joinNames(shown)} send`;
}

/** What the card is about. */
export function placeOf({ child_id: childId, state, alert, last_heard: last }: ChildAttention): {
  to: string;
  state?: HistoryState;
} {
  switch (state) {
    case "urgent":
    case "alert":
    case "not_saved":
      return { to: paths.alerts(childId), state: { alert: alert?.alert_id ?? null } };
    case "not_reached":
      return { to: paths.section(childId, "subscription") };
    case "rules_refused":
    case "rules_unconfirmed":
    case "silent":
    case "nothing_heard":
    case "no_assistant":
      return { to: paths.section(childId, "settings/assistants") };
    case "rules_incomplete":
      return { to: paths.tries(childId) };
    case "not_reviewed":
      return { to: paths.section(childId, "settings/ai-reader") };
    case "nothing_open":
      return { to: paths.transcripts(childId, last?.session_id) };
  }
}
