import { Link } from "react-router";

import { useGetTalkStatus } from "../api/generated/client/talk/talk";
import { paths } from "../paths";
import type { HistoryState } from "../ui/history-state";

/** For a page that is empty because no assistant talks with the child: the link to connect one. Else nothing. */
export function ConnectFirst({ childId }: { childId: number }) {
  const { data } = useGetTalkStatus(childId);
  return data?.data.state === "no_assistant" ? <ConnectLink childId={childId} /> : null;
}

export function ConnectLink({ childId }: { childId: number }) {
  return (
    <Link
      to={paths.section(childId, "settings/assistants")}
      state={{ connects: true } satisfies HistoryState}
      className="inline-flex min-h-11 items-center rounded-control border border-transparent bg-primary px-4 font-bold text-on-primary hover:bg-primary-strong"
    >
      Connect an assistant
    </Link>
  );
}
