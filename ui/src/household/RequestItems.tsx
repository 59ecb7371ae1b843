import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";

import { useInvalidateHousehold, useNameOf } from "./queries";
import { type Reading, useReading } from "./reading";
import { type Invitation, invitationSentence, waitsForAnswer } from "./requests";
import { Failure } from "../api/Failure";
import {
  useConfirmInvitation,
  useConfirmRequest,
  useStopInvitation,
  useStopRequest,
} from "../api/generated/client/household/household";
import { StepUpCancelled, failureSentence } from "../api/problem";
import { isConflict } from "../api/shared-record";
import { type ChildRequest, extentSentence, requestSentence } from "../children/child-request";
import { useChildren } from "../children/children";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";

/** A request about a child, and this guardian's actions on it. */
export function RequestItem({ request }: { request: ChildRequest }) {
  const { child_id: childId, kind, days, by, answers } = request;
  const name = useNameOf(childId);
  const [asking, setAsking] = useState(false);
  const invalidateHousehold = useInvalidateHousehold();
  const stop = useStopRequest({ mutation: { onSuccess: invalidateHousehold } });
  const reading = useReading(request.edition);
  const confirm = useConfirmRequest({
    request: reading.init,
    mutation: {
      onSuccess: invalidateHousehold,
      onError: invalidateHousehold,
      onSettled: (_answer, error) => {
        if (error === null || isConflict(error) || error instanceof StepUpCancelled) setAsking(false);
      },
    },
  });
  const agree = () => confirm.mutate({ childId, kind });
  const failure = failureOf(confirm.error);
  const extent = extentSentence(request, new Date());
  const sentence = useId();
  return (
    <li className="flex flex-col gap-2 py-2">
      <p id={sentence} className="[overflow-wrap:anywhere]">
        {requestSentence(request, name, new Date())}
      </p>
      <p className="[overflow-wrap:anywhere]">{extent}</p>
      <Changed reading={reading} confirm={confirm} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="plain"
          aria-describedby={sentence}
          busy={stop.isPending}
          onClick={() => stop.mutate({ childId, kind })}
        >
          <Trans>Stop it</Trans>
        </Button>
        {by?.is_you !== true && !answers.confirmed && !reading.isOutdated && (
          <Button
            look="quiet"
            aria-describedby={sentence}
            busy={confirm.isPending}
            onClick={days === undefined ? () => setAsking(true) : agree}
          >
            <Trans>Agree</Trans>
          </Button>
        )}
      </div>
      <Failure error={stop.error} />
      {!asking && failure !== null && <Alert kind="error">{failure}</Alert>}
      {asking && (
        <Confirmation
          title={t`Delete ${name}'s profile and conversations`}
          action={t`Delete ${name}'s profile and conversations`}
          busy={confirm.isPending}
          failure={failure}
          onConfirm={agree}
          onClose={() => setAsking(false)}
        >
          <Trans>
            If every other guardian agrees, {name}'s profile and all conversations are deleted at once and
            cannot be restored.
          </Trans>{" "}
          {extent}
        </Confirmation>
      )}
    </li>
  );
}

/** An invitation, and this guardian's actions on it. */
export function InvitationItem({ invitation }: { invitation: Invitation }) {
  const { list } = useChildren();
  const invalidateHousehold = useInvalidateHousehold();
  const stop = useStopInvitation({ mutation: { onSuccess: invalidateHousehold } });
  const reading = useReading(invitation.edition);
  const confirm = useConfirmInvitation({
    request: reading.init,
    mutation: { onSuccess: invalidateHousehold, onError: invalidateHousehold },
  });
  const { invitation_id: invitationId } = invitation;
  const children = list.kind === "loaded" ? list.children : [];
  const failure = failureOf(stop.error) ?? failureOf(confirm.error);
  const sentence = useId();
  return (
    <li className="flex flex-col gap-2 py-2">
      <p id={sentence} className="[overflow-wrap:anywhere]">
        {invitationSentence(invitation, children, new Date())}
      </p>
      <Changed reading={reading} confirm={confirm} />
      <div className="flex flex-wrap gap-2">
        {waitsForAnswer(invitation) && !reading.isOutdated && (
          <Button
            look="plain"
            aria-describedby={sentence}
            busy={confirm.isPending}
            onClick={() => confirm.mutate({ invitationId })}
          >
            <Trans>Agree</Trans>
          </Button>
        )}
        <Button
          look="plain"
          aria-describedby={sentence}
          busy={stop.isPending}
          onClick={() => stop.mutate({ invitationId })}
        >
          <Trans>Stop it</Trans>
        </Button>
      </div>
      {failure !== null && <Alert kind="error">{failure}</Alert>}
    </li>
  );
}

interface ChangedProps {
  reading: Reading;
  confirm: { isPending: boolean; reset: () => void };
}

/** Says that the request isn't any more the one that this guardian has read. */
function Changed({ reading, confirm }: ChangedProps) {
  if (!reading.isOutdated) return null;
  const read = () => {
    confirm.reset();
    reading.readAgain();
  };
  return (
    <Alert kind="warning">
      <p>
        <Trans>This request has changed. Please read it again.</Trans>
      </p>
      <Button look="plain" busy={confirm.isPending} onClick={read}>
        <Trans>I've read it</Trans>
      </Button>
    </Alert>
  );
}

/** Not of a change, which {@link Changed} says. */
function failureOf(error: Error | null): string | null {
  return isConflict(error) ? null : failureSentence(error);
}
