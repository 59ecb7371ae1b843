import { t } from "@lingui/core/macro";
import { useCallback, useMemo, useRef } from "react";
import { useLocation } from "react-router";

import { ErasureLine } from "./ErasureLine";
import { ReaderLine } from "./ReaderLine";
import { InvitationItem, RequestItem } from "./RequestItems";
import { waitsForAnswer } from "./requests";
import { useGetRequests, useNoteRequestsShown } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { paths } from "../paths";
import { useSeen } from "../ui/seen";
import { Notice } from "../ui/Notice";

type Schemas = components["schemas"];

/**
 * Shows the pending requests on every page, and reports to the server when they have been seen. `childId` is the child that
 * the page is about; the deletion of another child takes one line there. The AI reader's own page reports that it was seen.
 */
export function RequestsNotice({ childId }: { childId: number | null }) {
  const { pathname } = useLocation();
  const { data, refetch } = useGetRequests();
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
  const requests = data?.data.requests ?? [];
  const readers = (data?.data.reviewers ?? []).filter(
    ({ child_id: id }) => pathname !== paths.section(id, "settings/ai-reader"),
  );
  const invitations = (data?.data.invitations ?? []).filter(waitsForAnswer);
  if (requests.length + readers.length + invitations.length === 0) return null;
  return (
    <Notice ref={notice} aria-label={t`Waiting for an answer`} className="mb-5 py-1.5 print:hidden">
      <ul className="divide-y divide-line">
        {requests.map((request) => {
          const { child_id: id, kind } = request;
          const isElsewhere = kind === "deletion" && childId !== null && childId !== id;
          const Item = isElsewhere ? ErasureLine : RequestItem;
          return <Item key={`${kind} ${id}`} request={request} />;
        })}
        {readers.map((request) => (
          <ReaderLine key={`reader ${request.child_id}`} request={request} />
        ))}
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.invitation_id} invitation={invitation} />
        ))}
      </ul>
    </Notice>
  );
}

/** The requests that have not been reported as seen; null if all have. */
function unseenIn(all: Schemas["Requests"] | undefined): Schemas["ShownRequests"] | null {
  const requests = (all?.requests ?? []).filter(isUnseen);
  const invitations = (all?.invitations ?? []).filter((each) => waitsForAnswer(each) && isUnseen(each));
  if (requests.length + invitations.length === 0) return null;
  return {
    requests: requests.map(({ child_id, kind, edition }) => ({ child_id, kind, edition })),
    invitations: invitations.map(({ invitation_id, edition }) => ({ invitation_id, edition })),
  };
}

function isUnseen({ answers }: { answers: Schemas["Answers"] }): boolean {
  return !answers.shown;
}
