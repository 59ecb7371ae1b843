import { CheckIcon, CircleIcon } from "lucide-react";

import { type Connection, checks, problemOf } from "./connections";
import type { OwnAssistant } from "./queries";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { TextLink } from "../ui/TextLink";
import { Disclosure } from "../ui/Disclosure";

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
        <TextLink to={paths.section(childId, "transcripts")} className="self-start">
          Read what was said
        </TextLink>
      )}
      {problem !== null && (
        <Alert kind="error">
          {isHeard ? "The latest from" : "Something arrived from"} <bdi>{name}</bdi>
          {isHeard ? " has a fault: " : ", but "}
          {problem}
        </Alert>
      )}
      {kind === "plug_in" && (
        <Disclosure
          summary="For its maker: what has worked"
          summaryClassName="text-primary"
          className="text-sm"
        >
          <ul className="flex flex-col gap-2 pb-2">
            {checks.map(({ check, label }) => (
              <SeenOrNot key={check} label={label} isSeen={connection?.seen.includes(check) === true} />
            ))}
          </ul>
          <p className="text-muted">Since this server last started.</p>
        </Disclosure>
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
