import { ChevronLeftIcon, PrinterIcon } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useLocation, useNavigate } from "react-router";

import { Conversation } from "./Conversation";
import { FindBar } from "./FindBar";
import { partsOf } from "./marks";
import { NotChild } from "./NotChild";
import { NotKept } from "./NotKept";
import { PrintedTranscript, usePrint } from "./PrintTranscript";
import type { ListedSession } from "./queries";
import { useReceiptLine } from "./receipts";
import { SessionDetails } from "./SessionDetails";
import { useConversation } from "./use-conversation";
import { useConversationAt } from "./use-conversation-at";
import type { Match } from "./use-search";
import type { Child } from "../children/children";
import { paths } from "../paths";
import type { Done } from "../retention/RetentionNotice";
import { useMarkNotChild } from "../retention/queries";
import { SessionMenu } from "../retention/SessionMenu";
import { historyState } from "../ui/history-state";
import { menuItemClass } from "../ui/Menu";

interface TranscriptProps {
  child: Child;
  session: ListedSession;
  /** The search matches in this session. */
  found: readonly Match[];
  /** Whether there may be further matches. */
  mayHaveMore: boolean;
  /** Called when the session was moved or deleted. */
  onDone: (done: Done) => void;
}

/** A session: its topic, details, menu and messages. */
export function Transcript({ child, session, found, mayHaveMore, onDone }: TranscriptProps) {
  const whole = useConversation(session.id);
  const { message: openMessage, atEnd } = historyState(useLocation().state);
  const conversation = useConversationAt(session.id, openMessage, whole);
  const marks = useMemo(() => new Map(found.map((match) => [match.message_id, partsOf(match)])), [found]);
  const receipt = useReceiptLine(session.id);
  const { loadingAll, print } = usePrint(whole);
  const marking = useMarkNotChild(session.id);
  const { name } = child;
  const { id: sessionId, topic } = session;
  return (
    <>
      <ReaderHeader childId={child.child_id}>
        <div className="min-w-0 flex-1 py-1 md:py-0">
          <h2 dir="auto" tabIndex={-1} className="text-left text-lg font-bold">
            Transcript: {session.topic}
          </h2>
          <SessionDetails session={session} childName={name} />
          <p role="status" className={loadingAll ? "text-sm text-muted" : "sr-only"}>
            {loadingAll && "Loading all of it to print..."}
          </p>
        </div>
        <SessionMenu
          child={child}
          sessionId={sessionId}
          notChild={session.notChild}
          onMark={(notChild) => marking.mutate(notChild)}
          onDeleted={() => onDone({ kind: "deleted", sessionId, topic })}
          onMoved={(to) => onDone({ kind: "moved", sessionId, topic, to })}
          above={
            <div className="border-b border-line px-3 pt-1 pb-2 text-sm text-muted">
              <p>{session.messages}</p>
              {receipt !== undefined && (
                <p>
                  <bdi>{receipt.name}</bdi> {receipt.words}
                </p>
              )}
            </div>
          }
        >
          {print !== undefined && (
            <button type="button" role="menuitem" className={menuItemClass} onClick={print}>
              <PrinterIcon className="size-5 shrink-0" />
              Print
            </button>
          )}
        </SessionMenu>
        <PrintedTranscript childName={name} session={session} receipt={receipt} conversation={whole} />
        {found.length > 0 && <FindBar {...{ matches: found, mayHaveMore, openMessage }} />}
      </ReaderHeader>
      <NotChild childName={name} session={session} marking={marking} />
      <NotKept
        session={session}
        className="border-b border-line py-2 text-sm [overflow-wrap:anywhere] text-muted md:px-6"
      />
      <Conversation
        childName={name}
        conversation={conversation}
        openMessage={openMessage}
        openAtEnd={atEnd}
        marks={marks}
      />
    </>
  );
}

interface ReaderHeaderProps {
  childId: number;
  className?: string;
  children?: ReactNode;
}

/** The header of the transcript, on a phone with a link back to the list. */
export function ReaderHeader({ childId, className = "", children }: ReaderHeaderProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const goBack = () => {
    if (historyState(location.state).openedFromList) void navigate(-1);
    else void navigate(paths.transcripts(childId), { replace: true });
  };
  return (
    <header
      className={`flex flex-wrap items-start gap-1 border-b border-line pb-3 md:px-6 md:py-4 ${className}`}
    >
      <button
        type="button"
        onClick={goBack}
        aria-label="Back to the sessions"
        className="-ml-2 flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-quiet md:hidden"
      >
        <ChevronLeftIcon />
      </button>
      {children}
    </header>
  );
}
