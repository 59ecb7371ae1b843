import { useState } from "react";

import { VERDICT } from "./WhereItGoes";
import { type useSwitches } from "./queries";
import { type Reviewer, AFTER_EVERYBODY } from "./words";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";

interface SwitchOnProps {
  child: Child;
  reviewer: Reviewer;
  /** What the guardian has read about. */
  named: { model: string; host: string };
  isPrivate: boolean;
  switches: ReturnType<typeof useSwitches>;
}

/** Switches the reader on, or agrees to what another guardian switched on. It stands below what is to be read before. */
export function SwitchOn({ child, reviewer, named, isPrivate, switches }: SwitchOnProps) {
  const { child_id: childId } = child;
  const [isAsking, setAsking] = useState(false);
  const { state } = reviewer;
  const isAnswer = state === "waiting";
  const isUnfit = reviewer.figures?.unfit === true;
  const change = isAnswer ? switches.agree : switches.switchOn;
  if (isAnswer && reviewer.confirmed === true) return null;
  const name = isolated(child.name);
  const close = () => setAsking(false);
  return (
    <section
      aria-label={isAnswer ? "Your answer" : "Switch it on"}
      className="flex max-w-[65ch] flex-col items-start gap-3"
    >
      {!isPrivate && !isAnswer && !isUnfit && <p>{AFTER_EVERYBODY}</p>}
      {state === "untested" && (
        <p id="reader-untested">
          It can be switched on once the person who set up this server has tested it with{" "}
          <code>porchlight reviewer test</code>.
        </p>
      )}
      <Button
        disabled={state === "untested" || isUnfit}
        aria-describedby={isUnfit ? VERDICT : state === "untested" ? "reader-untested" : undefined}
        busy={change.isPending}
        onClick={() => setAsking(true)}
      >
        <span>
          {isAnswer ? "Agree to it" : "Switch it on"} for <bdi>{child.name}</bdi>
        </span>
      </Button>
      {isAsking && (
        <Confirmation
          title={isAnswer ? `Agree to the AI reader for ${name}?` : `Switch the AI reader on for ${name}?`}
          action={isAnswer ? "Agree" : "Switch on"}
          busyLabel={BUSY}
          busy={change.isPending}
          onConfirm={() => change.mutate({ childId, data: named }, { onSettled: close })}
          onClose={close}
        >
          Every word of <bdi>{child.name}</bdi>&apos;s conversations will go to the AI{" "}
          <bdi>{plainText(named.model)}</bdi> at <bdi>{plainText(named.host)}</bdi>,{" "}
          {isPrivate ? "which seems to run in your home." : "outside of your home."}
        </Confirmation>
      )}
      <Failure error={change.error} />
      {!isUnfit && <OfferPage child={child} />}
    </section>
  );
}

/** Before it is on, the guardian is offered to tell the child. */
function OfferPage({ child }: { child: Child }) {
  return (
    <Notice className="flex flex-col gap-1 pt-3 pb-1">
      <p>
        Does <bdi>{child.name}</bdi> know that a computer program would read along?
      </p>
      <TextLink to={paths.forChild(child.child_id)} className="self-start">
        <span>
          A page for <bdi>{child.name}</bdi>
        </span>
      </TextLink>
    </Notice>
  );
}
