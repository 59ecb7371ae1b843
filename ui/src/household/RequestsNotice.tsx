import { useCallback, useMemo, useRef } from "react";
import { useLocation } from "react-router";

import { ErasureLine } from "./ErasureLine";
import { ReaderLine } from "./ReaderLine";
import { ErasureItem, InvitationItem, RetentionItem } from "./RequestItems";
import { type ErasureRequest, type Invitation, waitsForAnswer } from "./requests";
import { useListRequests, useNoteRequestsShown } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import type { RetentionRequest } from "../children/retention-request";
import { paths } from "../paths";
import { useSeen } from "../ui/seen";

type Schemas = components["schemas"];

/**
 * Shows the pending requests on every page, and reports to the server when they have been seen. `childId` is the child that
 * the page is about; the deletion of another child takes one line there. The AI reader's own page reports that it was seen.
 */
export function RequestsNotice({ childId }: { childId: number | null }) {
  const { pathname } = useLocation();
  const { data, refetch } = useListRequests();
  const { mutateAsync } = useNoteRequestsShown();
  const notice = useRef<HTMLElement>(null);
  const unseen = useMemo(() => unseenIn(data?.data), [data]);
  const telling = useRef(false);
  const tell = useCallback(async () => {
    if (unseen === null || telling.current) return;
    telling.current = true;
    try {
      await mutateAsync({ data: unseen });
      await refetch();
    } catch {
      // Retried at the next interaction with the page.
    } finally {
      telling.current = false;
    }
  }, [unseen, mutateAsync, refetch]);
  useSeen(notice, unseen === null ? null : tell);
  const erasures = data?.data.erasures ?? [];
  const retentions = data?.data.retentions ?? [];
  const readers = (data?.data.reviewers ?? []).filter(
    ({ child_id: id }) => pathname !== paths.section(id, "settings/ai-reader"),
  );
  const invitations = (data?.data.invitations ?? []).filter(waitsForAnswer);
  if (erasures.length + retentions.length + readers.length + invitations.length === 0) return null;
  return (
    <section
      ref={notice}
      aria-label="Waiting for an answer"
      className="mb-5 rounded-control border border-transparent bg-lamp-glow px-4 py-1.5 print:hidden"
    >
      <ul className="divide-y divide-line">
        {erasures.map((request) =>
          childId === null || childId === request.child_id ? (
            <ErasureItem key={request.child_id} request={request} />
          ) : (
            <ErasureLine key={request.child_id} request={request} />
          ),
        )}
        {retentions.map((request) => (
          <RetentionItem key={`retention ${request.child_id}`} request={request} />
        ))}
        {readers.map((request) => (
          <ReaderLine key={`reader ${request.child_id}`} request={request} />
        ))}
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.invitation_id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

/** The requests that have not been reported as seen; null if all have. */
function unseenIn(requests: Schemas["Requests"] | undefined): Schemas["ShownRequest"] | null {
  const erasures = (requests?.erasures ?? []).filter(isUnseen).map(({ child_id: id }) => id);
  const retentions = (requests?.retentions ?? []).filter(isUnseen).map(({ child_id: id }) => id);
  const invitations = (requests?.invitations ?? [])
    .filter((each) => waitsForAnswer(each) && isUnseen(each))
    .map(({ invitation_id: id }) => id);
  const count = erasures.length + retentions.length + invitations.length;
  return count === 0 ? null : { erasures, retentions, invitations };
}

function isUnseen({ answers }: ErasureRequest | RetentionRequest | Invitation): boolean {
  return !answers.shown;
}
