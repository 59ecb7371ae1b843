import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { VERDICT } from "./WhereItGoes";
import { type useSwitches } from "./queries";
import { type Reviewer, afterEverybody } from "./words";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";
import { SendToAdministrator } from "../ui/SendToAdministrator";

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
  const { child_id: childId, name } = child;
  const [isAsking, setAsking] = useState(false);
  const { state } = reviewer;
  const isAnswer = state === "waiting";
  const isUnfit = reviewer.figures?.unfit === true;
  const change = isAnswer ? switches.agree : switches.switchOn;
  if (isAnswer && reviewer.confirmed === true) return null;
  const [model, host] = [plainText(named.model), plainText(named.host)];
  const close = () => setAsking(false);
  return (
    <section
      aria-label={isAnswer ? t`Your answer` : t`Switch it on`}
      className="flex max-w-[65ch] flex-col items-start gap-3"
    >
      {!isPrivate && !isAnswer && !isUnfit && <p>{afterEverybody()}</p>}
      {state === "untested" && (
        <SendToAdministrator
          id="reader-untested"
          sentence={t`The AI reader can be switched on once the person who looks after Porchlight has tested it.`}
          how={t`The command is porchlight reviewer test. docs/admin/reviewer.md explains it.`}
        />
      )}
      <Button
        disabled={state === "untested" || isUnfit}
        aria-describedby={isUnfit ? VERDICT : state === "untested" ? "reader-untested" : undefined}
        busy={change.isPending}
        onClick={() => setAsking(true)}
      >
        <span>
          {isAnswer ? (
            <Trans>
              Agree to it for <bdi>{name}</bdi>
            </Trans>
          ) : (
            <Trans>
              Switch it on for <bdi>{name}</bdi>
            </Trans>
          )}
        </span>
      </Button>
      {isAsking && (
        <Confirmation
          title={
            isAnswer
              ? t`Agree to the AI reader for ${{ name: isolated(name) }}?`
              : t`Switch the AI reader on for ${{ name: isolated(name) }}?`
          }
          action={isAnswer ? t`Agree` : t`Switch on`}
          busyLabel={BUSY}
          busy={change.isPending}
          onConfirm={() => change.mutate({ childId, data: named }, { onSettled: close })}
          onClose={close}
        >
          {isPrivate ? (
            <Trans>
              Every word of <bdi>{name}</bdi>&apos;s conversations will go to the AI <bdi>{model}</bdi> at{" "}
              <bdi>{host}</bdi>, which seems to run in your home.
            </Trans>
          ) : (
            <Trans>
              Every word of <bdi>{name}</bdi>&apos;s conversations will go to the AI <bdi>{model}</bdi> at{" "}
              <bdi>{host}</bdi>, outside of your home.
            </Trans>
          )}
        </Confirmation>
      )}
      <Failure error={change.error} />
      {!isUnfit && <OfferPage child={child} />}
    </section>
  );
}

/** Before it is on, the guardian is offered to tell the child. */
function OfferPage({ child: { child_id: childId, name } }: { child: Child }) {
  return (
    <Notice className="flex flex-col gap-1 pt-3 pb-1">
      <p>
        <Trans>
          Does <bdi>{name}</bdi> know that a computer program would read along?
        </Trans>
      </p>
      <TextLink to={paths.forChild(childId)} className="self-start">
        <span>
          <Trans>
            A page for <bdi>{name}</bdi>
          </Trans>
        </span>
      </TextLink>
    </Notice>
  );
}
