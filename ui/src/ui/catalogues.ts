/** The messages of a language. A build splits each catalogue into parts (`vite/message-parts.ts`). Elsewhere the first part is all. */
import type { Messages } from "@lingui/core";

import { withDeadline } from "../api/deadline";

/** The names of the parts, separated by spaces: those of the initial code. A build replaces this string. */
export const FIRST_PARTS = "messages:first";

const DEADLINE_MS = 30_000;

/** The error sentences' part. A build replaces this string, too. */
export const PROBLEM_PARTS = "messages:problems";

export async function fetchPart(language: string, part: string): Promise<Messages> {
  if (!import.meta.env.PROD) {
    if (part !== FIRST_PARTS) return {};
    const catalogue: { messages: Messages } = await import(`../../locales/${language}.po`);
    return catalogue.messages;
  }
  return withDeadline(DEADLINE_MS, null, async (signal) => {
    const response = await fetch(`/assets/language-${language}-${part}.json`, { signal });
    // For instance, because a newer version of the app has other files.
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
    const messages: Messages = await response.json();
    return messages;
  }).catch((cause: unknown) => {
    throw new TypeError("Failed to fetch the messages.", { cause });
  });
}
