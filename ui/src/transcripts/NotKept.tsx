import type { ListedSession } from "./queries";

/** The server counts at most this many per session. */
const MOST_COUNTED = 100;

interface NotKeptProps {
  session: ListedSession;
  className?: string;
}

/** Says how many messages could not be stored, with a sentence for each reason. */
export function NotKept({ session: { assistant, notKept }, className }: NotKeptProps) {
  const all = notKept.reduce((sum, { count }) => sum + count, 0);
  return notKept.map(({ reason, count }) => (
    <p key={reason} className={className}>
      {all >= MOST_COUNTED && "At least "}
      {count} {count === 1 ? "message" : "messages"} could not be kept: <bdi>{assistant}</bdi>{" "}
      {reasonWords(reason, count)}.
    </p>
  ));
}

function reasonWords(reason: ListedSession["notKept"][number]["reason"], count: number): string {
  switch (reason) {
    case "id_used_twice":
      return "used an id twice";
    case "invalid":
      return count === 1 ? "sent it incorrectly" : "sent them incorrectly";
  }
}
