import { CheckIcon, CircleIcon } from "lucide-react";
import { Link } from "react-router";

import { type Connection, checks, problemOf } from "./connections";
import type { OwnAssistant } from "./queries";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";

interface FirstWordsProps {
  childId: number;
  assistant: OwnAssistant;
  /** Undefined while it is loading. */
  connection: Connection | undefined;
}

/** Whether a new assistant was heard, or what is wrong with what arrived; it changes while the page is open. */
export function FirstWords({ childId, assistant: { name, kind }, connection }: FirstWordsProps) {
  const problem = connection === undefined ? null : problemOf(connection);
  const isHeard = connection?.heard_at !== undefined;
  return (
    <section aria-label={`Connection of ${name}`} className="flex flex-col gap-3">
      <p role="status" className="[overflow-wrap:anywhere]">
        {isHeard ? (
          <strong>
            <bdi>{name}</bdi> was heard ✓
          </strong>
        ) : (
          "Waiting for the first word…"
        )}
      </p>
      {isHeard && (
        <Link
          to={paths.section(childId, "transcripts")}
          className="flex min-h-11 items-center self-start font-bold text-primary underline underline-offset-4"
        >
          Read what was said
        </Link>
      )}
      {problem !== null && (
        <Alert kind="error">
          {isHeard ? "The latest from" : "Something arrived from"} <bdi>{name}</bdi>
          {isHeard ? " has a fault: " : ", but "}
          {problem}
        </Alert>
      )}
      {kind === "plug_in" && (
        <details className="text-sm">
          <summary className="min-h-11 cursor-pointer content-center text-primary">
            For its maker: what has worked
          </summary>
          <ul className="flex flex-col gap-2 pb-2">
            {checks.map(({ check, label }) => (
              <SeenOrNot key={check} label={label} isSeen={connection?.seen.includes(check) === true} />
            ))}
          </ul>
          <p className="text-muted">Since this server last started.</p>
        </details>
      )}
    </section>
  );
}

function SeenOrNot({ label, isSeen }: { label: string; isSeen: boolean }) {
  const Icon = isSeen ? CheckIcon : CircleIcon;
  return (
    <li className="flex items-center gap-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${isSeen ? "text-primary" : "text-muted"}`} />
      <span>
        {label}: {isSeen ? <strong>seen</strong> : "not yet"}
      </span>
    </li>
  );
}
