import { useState } from "react";

import { useInvalidateHousehold, useNameOf } from "./queries";
import {
  type ErasureRequest,
  type Invitation,
  erasureSentence,
  extentSentence,
  invitationSentence,
  waitsForAnswer,
} from "./requests";
import {
  useConfirmChildErasure,
  useConfirmInvitation,
  useConfirmRetention,
  useStopChildErasure,
  useStopInvitation,
  useStopRetention,
} from "../api/generated/client/household/household";
import { needsStepUp, errorMessage } from "../api/problem";
import { useChildren } from "../children/children";
import { type RetentionRequest, deletesSentence, retentionSentence } from "../children/retention-request";
import { forHowLong } from "../format/retention";
import { StepUpFor } from "../identity/StepUpFor";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";

/** A request to erase a child, and this guardian's actions on it. */
export function ErasureItem({ request }: { request: ErasureRequest }) {
  const name = useNameOf(request.child_id);
  const [asking, setAsking] = useState(false);
  const invalidateHousehold = useInvalidateHousehold();
  const stop = useStopChildErasure({ mutation: { onSuccess: invalidateHousehold } });
  const confirm = useConfirmChildErasure({
    mutation: {
      onSuccess: async () => {
        setAsking(false);
        await invalidateHousehold();
      },
    },
  });
  const { child_id: childId, by, answers } = request;
  const mayConfirm = by?.is_you !== true && !answers.confirmed;
  const refused = needsStepUp(confirm.error);
  return (
    <li className="flex flex-col gap-2 py-2">
      <p className="[overflow-wrap:anywhere]">{erasureSentence(request, name, new Date())}</p>
      <p className="[overflow-wrap:anywhere]">{extentSentence(request, new Date())}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="plain" busy={stop.isPending} onClick={() => stop.mutate({ childId })}>
          Stop it
        </Button>
        {mayConfirm && (
          <Button look="quiet" onClick={() => setAsking(true)}>
            Agree to delete {name}'s profile
          </Button>
        )}
      </div>
      {stop.isError && <Alert kind="error">{errorMessage(stop.error, "It could not be stopped.")}</Alert>}
      {asking && !refused && (
        <Confirmation
          title={`Delete ${name}'s profile and conversations?`}
          action={`Delete ${name}'s profile`}
          busy={confirm.isPending}
          failure={confirm.isError ? errorMessage(confirm.error, "It could not be confirmed.") : null}
          onConfirm={() => confirm.mutate({ childId })}
          onClose={() => setAsking(false)}
        >
          If every other guardian agrees, {name}'s profile and all conversations are deleted at once and
          cannot be restored. {extentSentence(request, new Date())}
        </Confirmation>
      )}
      <StepUpFor mutation={confirm} onClose={() => setAsking(false)} />
    </li>
  );
}

/** A request to keep a child's conversations for a shorter time, and this guardian's actions on it. */
export function RetentionItem({ request }: { request: RetentionRequest }) {
  const name = useNameOf(request.child_id);
  const invalidateHousehold = useInvalidateHousehold();
  const stop = useStopRetention({ mutation: { onSuccess: invalidateHousehold } });
  const confirm = useConfirmRetention({ mutation: { onSuccess: invalidateHousehold } });
  const { child_id: childId, by, days, answers } = request;
  const mayConfirm = by?.is_you !== true && !answers.confirmed;
  const failed = [stop, confirm].find(({ error }) => error !== null && !needsStepUp(error));
  return (
    <li className="flex flex-col gap-2 py-2">
      <p className="[overflow-wrap:anywhere]">{retentionSentence(request, name, new Date())}</p>
      <p>{deletesSentence(request)}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="plain" busy={stop.isPending} onClick={() => stop.mutate({ childId })}>
          Stop it
        </Button>
        {mayConfirm && (
          <Button look="quiet" busy={confirm.isPending} onClick={() => confirm.mutate({ childId })}>
            Agree to keep them {forHowLong(days)}
          </Button>
        )}
      </div>
      {failed !== undefined && (
        <Alert kind="error">{errorMessage(failed.error, "It could not be done.")}</Alert>
      )}
      <StepUpFor mutation={confirm} />
    </li>
  );
}

/** An invitation, and this guardian's actions on it. */
export function InvitationItem({ invitation }: { invitation: Invitation }) {
  const { list } = useChildren();
  const invalidateHousehold = useInvalidateHousehold();
  const stop = useStopInvitation({ mutation: { onSuccess: invalidateHousehold } });
  const confirm = useConfirmInvitation({ mutation: { onSuccess: invalidateHousehold } });
  const { invitation_id: invitationId } = invitation;
  const children = list.kind === "loaded" ? list.children : [];
  const failed = [stop, confirm].find(({ error }) => error !== null && !needsStepUp(error));
  return (
    <li className="flex flex-col gap-2 py-2">
      <p className="[overflow-wrap:anywhere]">{invitationSentence(invitation, children, new Date())}</p>
      <div className="flex flex-wrap gap-2">
        {waitsForAnswer(invitation) && (
          <Button look="plain" busy={confirm.isPending} onClick={() => confirm.mutate({ invitationId })}>
            Confirm it
          </Button>
        )}
        <Button look="plain" busy={stop.isPending} onClick={() => stop.mutate({ invitationId })}>
          Stop it
        </Button>
      </div>
      {failed !== undefined && (
        <Alert kind="error">{errorMessage(failed.error, "It could not be done.")}</Alert>
      )}
      <StepUpFor mutation={confirm} />
    </li>
  );
}
