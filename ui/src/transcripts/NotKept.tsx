import { plural, t } from "@lingui/core/macro";

import type { ListedSession } from "./queries";
import { isolated } from "../format/isolated";

/** The server counts at most this many per session. */
const MOST_COUNTED = 100;

interface NotKeptProps {
  session: ListedSession;
  className?: string;
}

/** Says how many messages could not be stored. */
export function NotKept({ session: { assistant, notKept }, className }: NotKeptProps) {
  const all = notKept.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  return <p className={className}>{missingSentence(all, isolated(assistant))}</p>;
}

function missingSentence(count: number, assistant: string): string {
  return count >= MOST_COUNTED
    ? t`At least ${count} messages are missing. ${assistant} sent them incorrectly.`
    : plural(count, {
        one: `# message is missing. ${assistant} sent it incorrectly.`,
        other: `# messages are missing. ${assistant} sent them incorrectly.`,
      });
}
