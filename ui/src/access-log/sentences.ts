/** What the page says of who looked. */
import type { components } from "../api/generated/schema";
import { addDays, mondayOf, shortDay } from "../format/days";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";

type Looks = components["schemas"]["AccessLog"];
type Other = components["schemas"]["OthersAccess"];

/** "You last read on Nov 24." and each copy. */
export function ownSentences({ own, today }: Looks): string {
  const read = own.find((look) => look.read || look.searched);
  const copies = own.filter(({ copied }) => copied).map(({ day }) => dayWords(day, today));
  const sentences = [
    read === undefined
      ? "You have not read here before today."
      : `You last read on ${dayWords(read.day, today)}.`,
    ...(copies.length === 0 ? [] : [`You took a copy on ${joinNames(copies)}.`]),
  ];
  return sentences.join(" ");
}

/** "Robin read on 3 days this week." and each copy. */
export function othersSentences(other: Other, today: string): string {
  const who = nameOf(other);
  const copies = other.copies.map((day) => dayWords(day, today));
  const links = other.sign_in_links.map((day) => dayWords(day, today));
  const sentences = [
    reading(who, other, today),
    ...(copies.length === 0 ? [] : [`${who} took a copy on ${joinNames(copies)}.`]),
    ...(links.length === 0 ? [] : [`${who} made a sign-in link on ${joinNames(links)}.`]),
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

export function nameOf({ by, name = "" }: Other): string {
  switch (by) {
    case "guardian":
      return name.trim() === "" ? "Another guardian" : isolated(name.trim());
    case "former_guardian":
      return "A former guardian";
    case "command_line":
      return "The person who set up this server";
  }
}

function reading(who: string, { by, weeks: [latest] }: Other, today: string): string | null {
  if (latest === undefined) return by === "guardian" ? `${who} has not read here before today.` : null;
  const monday = mondayOf(today);
  if (latest.week === monday) return `${who} read on ${daysWords(latest.days)} this week.`;
  if (latest.week === addDays(monday, -7)) return `${who} read on ${daysWords(latest.days)} last week.`;
  return `${who} last read in the week of ${dayWords(latest.week, today)}.`;
}

export function daysWords(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** "Nov 24", with the year unless it is the year of `today`. */
export function dayWords(day: string, today: string): string {
  return shortDay(day, new Date(`${today}T12:00:00`));
}
