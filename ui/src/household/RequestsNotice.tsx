import { useEffect } from "react";

import { ErasureItem, InvitationItem } from "./RequestItems";
import { type ErasureRequest, type Invitation, waitsForAnswer } from "./requests";
import { useListRequests, useNoteRequestsShown } from "../api/generated/client/household/household";

/** Shows the pending requests on every page, and tells the server that they were shown. */
export function RequestsNotice() {
  const { data, refetch } = useListRequests();
  const { mutate } = useNoteRequestsShown({ mutation: { onSuccess: () => void refetch() } });
  const erasures = data?.data.erasures ?? [];
  const invitations = (data?.data.invitations ?? []).filter(waitsForAnswer);
  useEffect(() => {
    if (data === undefined) return;
    const isUnseen = ({ answers }: ErasureRequest | Invitation) => !answers.shown;
    const unseen = {
      erasures: data.data.erasures.filter(isUnseen).map(({ child_id: id }) => id),
      invitations: data.data.invitations
        .filter((each) => waitsForAnswer(each) && isUnseen(each))
        .map(({ invitation_id: id }) => id),
    };
    if (unseen.erasures.length + unseen.invitations.length > 0) mutate({ data: unseen });
  }, [data, mutate]);
  if (erasures.length + invitations.length === 0) return null;
  return (
    <section
      aria-label="Waiting for an answer"
      className="mb-5 rounded-control border border-transparent bg-lamp-glow px-4 py-1.5 print:hidden"
    >
      <ul className="divide-y divide-line">
        {erasures.map((request) => (
          <ErasureItem key={request.child_id} request={request} />
        ))}
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.invitation_id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}
