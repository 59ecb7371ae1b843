/** The sentences of Summary's first card, and where it leads. */
import { plural, t } from "@lingui/core/macro";

import { alertSentence, flaggedSentence, weekday } from "../alerts/sentences";
import type { components } from "../api/generated/schema";
import type { ChildAttention } from "../children/attention";
import { nearDayInSentence, shortDate, timeOfDay } from "../format/dates";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";
import { paths } from "../paths";
import { notReviewedSentence } from "../reviewer/words";
import type { HistoryState } from "../ui/history-state";
import { onlyConnected } from "../children/only-connected";

type Sight = components["schemas"]["AttentionSight"];
type Alert = components["schemas"]["Alert"];

/** The gravest thing that waits. That of an urgent alert stands after 'Please look now.' */
export function needSentence(attention: ChildAttention, childName: string, now: Date): string {
  // What a state is about is always with it.
  const { state, alert, conversations, since = "" } = attention;
  const assistant = isolated(attention.assistant?.name ?? "");
  switch (state) {
    case "urgent":
      return alert === undefined ? "" : flaggedSentence(alert, childName, dayAndTime(alert.at, now));
    case "alert":
      return alert === undefined ? "" : alertSentence(alert, childName);
    case "not_reached":
      return notReachedSentence(attention.channel, onDay(since, now));
    case "rules_refused":
      return t`${assistant} refused your rules.`;
    case "rules_unconfirmed":
      return t`${assistant} hasn't confirmed your rules.`;
    case "rules_incomplete":
      return t`${assistant} may not get all your rules.`;
    case "not_saved":
      return alert === undefined ? "" : notSavedSentence(alert, now);
    case "not_reviewed":
      return notReviewedSentence(conversations ?? 0);
    case "silent":
      return t`${assistant} hasn't connected since ${{ day: nearDayInSentence(since, now) ?? weekday(since, now) }}.`;
    case "nothing_open":
      return `${t`No open alerts.`} ${lastHeardSentence(attention, now)}`;
    case "nothing_heard":
      return t`Nothing heard yet.`;
    case "no_assistant":
      return t`No assistant connected.`;
  }
}

function notReachedSentence(channel: ChildAttention["channel"], day: string): string {
  return channel === "email"
    ? t`Alerts don't reach you: our email to you was refused ${day}.`
    : t`Alerts don't reach you: a notification to your phone was refused ${day}.`;
}

function notSavedSentence({ at, count }: Alert, now: Date): string {
  const day = onDay(at, now);
  return plural(count, {
    one: `# message of a conversation ${day} couldn't be saved.`,
    other: `# messages of a conversation ${day} couldn't be saved.`,
  });
}

function lastHeardSentence({ last_heard: last }: ChildAttention, now: Date): string {
  if (last === undefined) return t`Nothing heard yet.`;
  const time = dayAndTime(last.last_message_time, now);
  const heard = last.assistant === undefined ? time : `${isolated(last.assistant)}, ${time}`;
  return t`Last heard: ${{ time: heard }}.`;
}

/** 'today at 4:20 PM', 'on Nov 24 at 4:20 PM' */
function dayAndTime(value: string, now: Date): string {
  const time = timeOfDay(value);
  const day = nearDayInSentence(value, now) ?? t`on ${{ time: shortDate(value, now) }}`;
  return t`${day} at ${time}`;
}

/** 'today', 'yesterday', 'on' the weekday within the last week, else 'on' the short date. */
function onDay(value: string, now: Date): string {
  const near = nearDayInSentence(value, now);
  if (near !== null) return near;
  const date = shortDate(value, now);
  const day = weekday(value, now);
  return day === date ? t`on ${{ time: date }}` : t`on ${{ weekday: day }}`;
}

/** 'and 2 more'; null if nothing else waits. */
export function moreSentence({ more }: ChildAttention): string | null {
  return more === 0 ? null : plural(more, { one: "and # more", other: "and # more" });
}

/** More assistants are counted. */
const NAMED = 3;

/** How far Porchlight sees. */
export function sightSentence({ assistants, watched_phrases: phrases, reviewer }: Sight): string {
  if (assistants.length === 0) return onlyConnected();
  const sees = seesSentence(assistants);
  if (phrases === 0 && !reviewer) return `${sees} ${t`You watch for nothing, so no words can alert you.`}`;
  const watches = plural(phrases, { one: "You watch for # phrase.", other: "You watch for # phrases." });
  return `${sees} ${watches} ${reviewer ? t`AI reader: on.` : t`AI reader: off.`}`;
}

function seesSentence(assistants: Sight["assistants"]): string {
  const names = assistants.map(({ name }) => isolated(name));
  const more = names.length - NAMED;
  const shown = more > 0 ? [...names.slice(0, NAMED - 1), otherAssistants(more + 1)] : names;
  const all = joinNames(shown);
  return plural(
    { count: names.length },
    {
      one: `Porchlight sees only what ${all} sends.`,
      other: `Porchlight sees only what ${all} send.`,
    },
  );
}

function otherAssistants(count: number): string {
  return plural(count, { one: "# other assistant", other: "# other assistants" });
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
