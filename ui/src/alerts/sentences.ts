/** What an alert says. The sentences are the product's. */
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { concernNames } from "../children/concerns";
import { capitalized, sameDay, shortDate, timeOfDay } from "../format/dates";
import { inWords } from "../format/durations";
import { isolated } from "../format/isolated";
import { deletedAsOld } from "../format/retention";

/** An alert of any kind. */
export type AnyAlert = components["schemas"]["Alert"];

type Reason = components["schemas"]["WhyNot"];

/** Whether an alert counts in the bell and shows on Summary. */
export function rings({ kind, flagged }: Pick<AnyAlert, "kind" | "flagged">): boolean {
  if (kind === "reviewer") return flagged?.not_worrying !== true;
  return kind === "phrase" || kind === "outside_times";
}

/** The sentence of an alert. Its time of day is without a date, which is shown beside it. */
export function alertSentence(alert: AnyAlert, childName: string): string {
  const child = isolated(childName);
  const assistant = alert.assistant === undefined ? null : isolated(alert.assistant);
  const time = timeOfDay(alert.at);
  const conversation = `${child}'s conversation${assistant === null ? "" : ` with ${assistant}`} at ${time}`;
  const { count } = alert;
  switch (alert.kind) {
    case "phrase": {
      const often = count > 1 ? ` ${count.toLocaleString("en-US")} messages have it.` : "";
      return `"${capitalized(isolated(alert.phrase?.words ?? ""))}" was said in ${conversation}.${often}`;
    }
    case "outside_times": {
      const who = assistant ?? "an assistant";
      return `${child} and ${who} talked${forMinutes(alert.minutes)} ${during(alert.why)}, from ${time}.`;
    }
    case "rules": {
      const who = assistant ?? "An assistant";
      return alert.minutes === undefined
        ? `${who} refused your current rules for ${child}, at ${time}.`
        : `${who} talked with ${child}${forMinutes(alert.minutes)} without confirming your current rules.`;
    }
    case "not_kept": {
      const messages = count === 1 ? "1 message" : `${count.toLocaleString("en-US")} messages`;
      return `${messages} from ${conversation} could not be saved.`;
    }
    case "reviewer": {
      const concern = alert.flagged === undefined ? "something" : `"${concernNames[alert.flagged.concern]}"`;
      return `An AI reader flagged ${concern} in ${conversation}. It can be wrong.`;
    }
    case "silent": {
      const since = weekday(alert.at, new Date());
      if (alert.all_assistants === true)
        return `None of ${child}'s assistants has connected since ${since}, so conversations may be missing.`;
      const who = assistant ?? "An assistant";
      return `${who} has not connected since ${since}, so ${child}'s conversations there may be missing.`;
    }
  }
}

function forMinutes(minutes: number | undefined): string {
  return minutes === undefined ? "" : ` for ${inWords(minutes * 60)}`;
}

function during(why: Reason | undefined): string {
  switch (why) {
    case "quiet_hours":
      return "during quiet hours";
    case "paused":
      return "during a pause";
    case "time_used_up":
      return "after the day's minutes were used up";
    case undefined:
      return "while talking was not allowed";
  }
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The weekday within the last week, else the short date. */
export function weekday(value: string, now: Date): string {
  const date = new Date(value);
  return now.getTime() - date.getTime() < WEEK_MS
    ? date.toLocaleDateString(undefined, { weekday: "long" })
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
  const restore = `You can restore it until ${shortDate(until, new Date())}.`;
  if (days !== undefined) return `${deletedAsOld(days)}. ${restore}`;
  const who = by === undefined ? "A former guardian" : isolated(authorName(by));
  return `${who} deleted this conversation. ${restore}`;
}

/** 'Alerts: 3 new'; null if the number is not known. */
export function bellSentence(unseen: number | null): string {
  if (unseen === null) return "Alerts";
  return `Alerts: ${newCount(unseen)}`;
}

/** The server counts up to this number for each child. */
const MOST = 100;

/** The most that a badge has room for. */
const MOST_SHOWN = 99;

export function shownCount(unseen: number): string {
  return unseen > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unseen);
}

export function newCount(unseen: number): string {
  if (unseen >= MOST) return `${MOST} or more new`;
  return unseen === 0 ? "none new" : `${unseen} new`;
}
