import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { atRelativeTime } from "../format/dates";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";

type Author = components["schemas"]["Author"];

/** A guardian's name at the beginning of a sentence. */
export function authorName({ is_you: isYou, name }: Author): string {
  if (isYou) return t({ message: "You", context: "the subject of a sentence" });
  return plainText(name ?? "").trim() || t`Another guardian`;
}

/** A guardian's name after "by"; undefined is a former guardian. */
export function authorInSentence(author: Author | undefined): string {
  if (author === undefined) return t({ message: "a former guardian", context: "after ‘by’" });
  if (author.is_you) return t({ message: "you", context: "after ‘by’" });
  return plainText(author.name ?? "").trim() || t({ message: "another guardian", context: "after ‘by’" });
}

/** "Asked for by Ben, today at 4:20 PM." */
export function askedBy(author: Author | undefined, at: string, now: Date): string {
  const [name, time] = [isolated(authorInSentence(author)), atRelativeTime(at, now)];
  return t`Asked for by ${name}, ${time}.`;
}
