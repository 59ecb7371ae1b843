/** The messages of a language. A build splits each catalogue into parts (`vite/message-parts.ts`). Elsewhere the first part is all. */
import type { Messages } from "@lingui/core";

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
  const response = await fetch(`/assets/language-${language}-${part}.json`, {
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((cause: unknown) => {
    throw new TypeError("Failed to fetch messages.", { cause });
  });
  // For instance, because a newer version of the app has other files.
  if (!response.ok) throw new TypeError("Failed to fetch messages.");
  return response.json();
}
