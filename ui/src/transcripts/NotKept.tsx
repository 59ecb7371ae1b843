import type { ListedSession } from "./queries";

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
  return (
    <p className={className}>
      {all >= MOST_COUNTED && "At least "}
      {all} {all === 1 ? "message is" : "messages are"} missing. <bdi>{assistant}</bdi> sent{" "}
      {all === 1 ? "it" : "them"} incorrectly.
    </p>
  );
}
