import { useEffect } from "react";

import { ErasureItem, InvitationItem } from "./RequestItems";
import { waitsForAnswer } from "./requests";
import { useListRequests, useNoteRequestsShown } from "../api/generated/client/household/household";

/** Shows on every page what waits for this guardian's answer, and tells the server that it was shown. */
export function RequestsNotice() {
  const { data, refetch } = useListRequests();
  const { mutate } = useNoteRequestsShown({ mutation: { onSuccess: () => void refetch() } });
  const erasures = data?.data.erasures ?? [];
  const invitations = (data?.data.invitations ?? []).filter(waitsForAnswer);
  const unseenChildren = erasures.filter(({ answers }) => !answers.shown).map(({ child_id: id }) => id);
  const unseenIds = invitations.filter(({ answers }) => !answers.shown).map((each) => each.invitation_id);
  const unseen = JSON.stringify({ erasures: unseenChildren, invitations: unseenIds });
  const isUnseen = unseenChildren.length + unseenIds.length > 0;
  useEffect(() => {
    if (isUnseen) mutate({ data: JSON.parse(unseen) });
  }, [isUnseen, unseen, mutate]);
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
