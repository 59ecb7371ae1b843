/** What the page says of who looked. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { mondayOf, shortDay } from "../format/days";
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
      ? t`You have not read here before today.`
      : t`You last read on ${{ day: dayWords(read.day, today) }}.`,
    ...(copies.length === 0 ? [] : [t`You took a copy on ${{ days: joinNames(copies) }}.`]),
  ];
  return sentences.join(" ");
}

/** "Robin read on 3 days this week." and each copy. */
export function othersSentences(other: Other, today: string): string {
  const name = nameOf(other);
  const copies = other.copies.map((day) => dayWords(day, today));
  const links = other.sign_in_links.map((day) => dayWords(day, today));
  const sentences = [
    reading(name, other, today),
    ...(copies.length === 0 ? [] : [t`${name} took a copy on ${{ days: joinNames(copies) }}.`]),
    ...(links.length === 0 ? [] : [t`${name} made a sign-in link on ${{ days: joinNames(links) }}.`]),
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

export function nameOf({ by, name = "" }: Other): string {
  switch (by) {
    case "guardian":
      return name.trim() === "" ? t`Another guardian` : isolated(name.trim());
    case "former_guardian":
      return t`A former guardian`;
    case "command_line":
      return t`The person who set up this server`;
  }
}

function reading(name: string, { by, weeks: [latest] }: Other, today: string): string | null {
  if (latest === undefined) return by === "guardian" ? t`${name} has not read here before today.` : null;
  const { week, days } = latest;
  if (week === mondayOf(today)) {
    return plural(days, {
      one: `${name} read on # day this week.`,
      other: `${name} read on # days this week.`,
    });
  }
  return t`${name} last read in the week of ${{ day: dayWords(week, today) }}.`;
}

export function weekWords({ week, days }: Other["weeks"][number], today: string): string {
  const day = dayWords(week, today);
  return plural(days, { one: `Week of ${day}: # day`, other: `Week of ${day}: # days` });
}

/** "Nov 24", with the year unless it is the year of `today`. */
function dayWords(day: string, today: string): string {
  return shortDay(day, new Date(`${today}T12:00:00`));
}
