/** What an alert says. The sentences are the product's. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { pleaseLookNow } from "../children/attention";
import { authorName } from "../children/author";
import { concernNames } from "../children/concerns";
import { capitalized, sameDay, shortDate, timeOfDay } from "../format/dates";
import { inWords } from "../format/durations";
import { isolated } from "../format/isolated";
import { dateFormat } from "../format/locale";
import { restorableUntil, tooOld } from "../format/retention";
import { inPagesLanguage } from "../ui/language";

/** An alert of any kind. */
export type AnyAlert = components["schemas"]["Alert"];

/** Whether an alert counts in the bell and shows on Summary. */
export function rings({ kind, flagged }: Pick<AnyAlert, "kind" | "flagged">): boolean {
  if (kind === "reviewer") return flagged?.not_worrying !== true;
  return kind === "phrase" || kind === "outside_times";
}

/** The sentence of an alert. Its time of day is without a date, which is shown beside it. */
export function alertSentence(alert: AnyAlert, childName: string): string {
  const child = isolated(childName);
  const assistant = alert.assistant === undefined ? null : isolated(alert.assistant);
  const withAssistant = nameAfterWith(alert);
  const time = timeOfDay(alert.at);
  switch (alert.kind) {
    case "phrase":
      return phraseSentence(alert, child, withAssistant, time);
    case "outside_times":
      return outsideSentence(alert, child, assistant, time);
    case "rules":
      return rulesSentence(alert, child, assistant, time);
    case "not_kept":
      return notKeptSentence(alert, child, withAssistant, time);
    case "reviewer":
      return flaggedSentence(alert, childName, t`at ${time}`);
    case "silent":
      return silentSentence(alert, child, assistant);
  }
}

function nameAfterWith({ assistant }: AnyAlert): string {
  return assistant === undefined
    ? t({ message: "an assistant", context: "after ‘with’" })
    : isolated(assistant);
}

function phraseSentence({ phrase: found, count }: AnyAlert, child: string, assistant: string, time: string) {
  const phrase = capitalized(isolated(found?.words ?? ""));
  const sentence = t`"${phrase}" was said in ${child}'s conversation with ${assistant} at ${time}.`;
  if (count <= 1) return sentence;
  return `${sentence} ${plural(count, { one: "# message has it.", other: "# messages have it." })}`;
}

/** The sentence that `say` makes of an assistant as its subject. */
function ofAssistant(assistant: string | null, say: (assistant: string) => string): string {
  return assistant === null ? capitalized(say(t`an assistant`)) : say(assistant);
}

function outsideSentence({ minutes, why }: AnyAlert, child: string, known: string | null, time: string) {
  const assistant = known ?? t`an assistant`;
  const duration = inWords((minutes ?? 0) * 60);
  switch (why) {
    case "quiet_hours":
    case undefined:
      return t`${child} and ${assistant} talked for ${duration} during quiet hours, from ${time}.`;
    case "paused":
      return t`${child} and ${assistant} talked for ${duration} during a pause, from ${time}.`;
    case "time_used_up":
      return t`${child} and ${assistant} talked for ${duration} after the day's minutes were used up, from ${time}.`;
  }
}

function rulesSentence({ minutes }: AnyAlert, child: string, known: string | null, time: string) {
  if (minutes === undefined)
    return ofAssistant(
      known,
      (assistant) => t`${assistant} refused your current rules for ${child}, at ${time}.`,
    );
  const duration = inWords(minutes * 60);
  return ofAssistant(
    known,
    (assistant) =>
      t`${assistant} talked with ${child} for ${duration} without confirming your current rules.`,
  );
}

function notKeptSentence({ count }: AnyAlert, child: string, assistant: string, time: string) {
  return plural(count, {
    one: `# message from ${child}'s conversation with ${assistant} at ${time} could not be saved.`,
    other: `# messages from ${child}'s conversation with ${assistant} at ${time} could not be saved.`,
  });
}

/** What the AI reader pointed at, and when: 'at 4:20 PM', 'today at 4:20 PM'. */
export function flaggedSentence(alert: AnyAlert, childName: string, time: string): string {
  const concern = alert.flagged === undefined ? "" : inPagesLanguage(concernNames[alert.flagged.concern]);
  const child = isolated(childName);
  const assistant = nameAfterWith(alert);
  return t`An AI reader flagged "${concern}" in ${child}'s conversation with ${assistant}, ${time}. It can be wrong.`;
}

function silentSentence({ at, all_assistants: isAll }: AnyAlert, child: string, known: string | null) {
  const day = weekday(at, new Date());
  if (isAll === true)
    return t`None of ${child}'s assistants has connected since ${day}, so conversations may be missing.`;
  return ofAssistant(
    known,
    (assistant) =>
      t`${assistant} has not connected since ${day}, so ${child}'s conversations there may be missing.`,
  );
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The weekday within the last week, else the short date. */
export function weekday(value: string, now: Date): string {
  const date = new Date(value);
  return now.getTime() - date.getTime() < WEEK_MS
    ? dateFormat({ weekday: "long" }).format(date)
    : shortDate(value, now);
}

/** The day that is shown beside the sentence. That of a silent assistant is when it was noticed; the sentence says since when. */
export function dayOf({ kind, at, arrived_at: arrivedAt }: AnyAlert): string {
  return kind === "silent" ? arrivedAt : at;
}

/** Whether Porchlight knew of it only on a later day: the list is in the order in which alerts arrived. */
export function isNoticedLater(alert: AnyAlert): boolean {
  return !sameDay(dayOf(alert), alert.arrived_at);
}

/** What became of a deleted conversation; null if it isn't deleted. */
export function deletionSentence(alert: AnyAlert): string | null {
  const { deleted_by: by, deleted_older_than_days: days, restorable_until: until } = alert;
  if (until === undefined) return null;
  const date = shortDate(until, new Date());
  return `${days === undefined ? whoDeleted(by) : tooOld()} ${restorableUntil(date)}`;
}

function whoDeleted(by: AnyAlert["deleted_by"]): string {
  if (by?.is_you === true) return t`You deleted this conversation.`;
  const name = by === undefined ? t`A former guardian` : isolated(authorName(by));
  return t`${name} deleted this conversation.`;
}

/** 'Alerts: 3 new', 'Alerts: please look now, 3 new'; null if the number is not known. */
export function bellSentence(unseen: number | null, isUrgent: boolean): string {
  return unseen === null && !isUrgent ? t`Alerts` : t`Alerts: ${{ words: newWords(unseen, isUrgent) }}`;
}

/** The server counts up to this number for each child. */
const MOST = 100;

/** The most that a badge has room for. */
const MOST_SHOWN = 99;

export function shownCount(unseen: number): string {
  return unseen > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unseen);
}

export function newCount(unseen: number): string {
  if (unseen === 0) return t`none new`;
  if (unseen >= MOST) return t`${{ count: MOST }} or more new`;
  return plural(unseen, { one: "# new", other: "# new" });
}

/** '3 new', 'please look now, 3 new'; null if the number is not known. */
export function newWords(unseen: number | null, isUrgent: boolean): string {
  if (!isUrgent) return newCount(unseen ?? 0);
  return unseen === null || unseen === 0 ? pleaseLookNow() : `${pleaseLookNow()}, ${newCount(unseen)}`;
}
