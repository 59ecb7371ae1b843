import { useMemo, useRef } from "react";

import { ErasureItem, InvitationItem } from "./RequestItems";
import { type ErasureRequest, type Invitation, waitsForAnswer } from "./requests";
import { useListRequests, useNoteRequestsShown } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { useSeen } from "../ui/seen";

type Schemas = components["schemas"];

/** Shows the pending requests on every page, and tells the server once somebody has seen them. */
export function RequestsNotice() {
  const { data, refetch } = useListRequests();
  const { mutate, isPending } = useNoteRequestsShown({ mutation: { onSuccess: () => void refetch() } });
  const notice = useRef<HTMLElement>(null);
  const unseen = useMemo(() => unseenIn(data?.data), [data]);
  const tell = useMemo(() => (unseen === null ? null : () => mutate({ data: unseen })), [unseen, mutate]);
  useSeen(notice, isPending ? null : tell);
  const erasures = data?.data.erasures ?? [];
  const invitations = (data?.data.invitations ?? []).filter(waitsForAnswer);
  if (erasures.length + invitations.length === 0) return null;
  return (
    <section
      ref={notice}
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

/** What the server doesn't know yet to have been shown; null if it knows of all. */
function unseenIn(requests: Schemas["Requests"] | undefined): Schemas["ShownRequest"] | null {
  const isUnseen = ({ answers }: ErasureRequest | Invitation) => !answers.shown;
  const erasures = (requests?.erasures ?? []).filter(isUnseen).map(({ child_id: id }) => id);
  const invitations = (requests?.invitations ?? [])
    .filter((each) => waitsForAnswer(each) && isUnseen(each))
    .map(({ invitation_id: id }) => id);
  return erasures.length + invitations.length === 0 ? null : { erasures, invitations };
}
