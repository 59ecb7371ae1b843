import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronLeftIcon, PrinterIcon } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
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
import { useGlances } from "./use-glances";
import type { Match } from "./use-search";
import type { Child } from "../children/children";
import { paths } from "../paths";
import type { Done } from "../retention/RetentionNotice";
import { Kept } from "../retention/Kept";
import { useKeep, useKept, useMarkNotChild } from "../retention/queries";
import { SessionMenu } from "../retention/SessionMenu";
import { historyState } from "../ui/history-state";
import { menuItemClass } from "../ui/Menu";
import { ScrollArea } from "../ui/ScrollArea";

interface TranscriptProps {
  child: Child;
  session: ListedSession;
  /** Whether the reader chose it; otherwise it opened by itself. */
  isChosen: boolean;
  /** The search matches in this session. */
  found: readonly Match[];
  /** Whether there may be further matches. */
  mayHaveMore: boolean;
  /** Called when the session was moved or deleted. */
  onDone: (done: Done) => void;
}

/** A session: its topic, details, menu and messages, which all scroll together. */
export function Transcript({ child, session, isChosen, found, mayHaveMore, onDone }: TranscriptProps) {
  const area = useRef<HTMLElement>(null);
  const whole = useConversation(session.id, useGlances(session.id, isChosen, area));
  const { message: openMessage, ranges, atEnd } = historyState(useLocation().state);
  const conversation = useConversationAt(session.id, openMessage, whole);
  const marks = useMemo(() => {
    // What a message said before it was corrected isn't its text.
    const current = found.filter(({ until }) => until === undefined);
    return new Map(current.map((match) => [match.message_id, partsOf(match)]));
  }, [found]);
  const receipt = useReceiptLine(session.id);
  const { loadingAll, print } = usePrint(whole);
  const marking = useMarkNotChild(session.id);
  const keeping = useKeep(session.id);
  const kept = useKept(child.child_id, session.id);
  const { name } = child;
  const { id: sessionId, topic } = session;
  return (
    <ScrollArea ref={area} label={t`Messages`} className="min-h-0 flex-1">
      <div className="pb-6">
        <ReaderHeader
          childId={child.child_id}
          details={
            <>
              <SessionDetails session={session} childName={name} />
              <Kept kept={kept} keeping={keeping} />
            </>
          }
        >
          <h2
            dir="auto"
            tabIndex={-1}
            title={topic}
            className="my-2 line-clamp-1 min-w-0 flex-1 text-left page-rtl:text-right text-lg font-bold [overflow-wrap:anywhere]"
          >
            <Trans>Transcript: {topic}</Trans>
          </h2>
          <SessionMenu
            child={child}
            sessionId={sessionId}
            notChild={session.notChild}
            onNotChild={() => marking.mutate(true)}
            kept={kept.data?.kept ?? null}
            onKeep={(keep) => keeping.mutate(keep)}
            onDeleted={() => onDone({ kind: "deleted", sessionId, topic })}
            onMoved={(to) => onDone({ kind: "moved", sessionId, topic, to })}
            above={
              <div className="border-b border-line px-3 pt-1 pb-2 text-sm text-muted">
                <p dir="auto" className="font-bold text-ink">
                  {topic}
                </p>
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
                <Trans>Print</Trans>
              </button>
            )}
          </SessionMenu>
          <PrintedTranscript childName={name} session={session} receipt={receipt} conversation={whole} />
        </ReaderHeader>
        <p role="status" className={loadingAll ? "py-2 text-sm text-muted md:px-6" : "sr-only"}>
          {loadingAll && t`Loading...`}
        </p>
        <NotChild childName={name} session={session} marking={marking} />
        <NotKept
          session={session}
          className="border-b border-line py-2 text-sm [overflow-wrap:anywhere] text-muted md:px-6"
        />
        {found.length > 0 && <FindBar {...{ matches: found, mayHaveMore, openMessage }} />}
        <Conversation
          childName={name}
          conversation={conversation}
          area={area}
          openMessage={openMessage}
          openRanges={ranges}
          openAtEnd={atEnd}
          marks={marks}
        />
      </div>
    </ScrollArea>
  );
}

interface ReaderHeaderProps {
  childId: number;
  /** In a line of its own. */
  details?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/** The header of the transcript, on a phone with a link back to the list. */
export function ReaderHeader({ childId, details, className = "", children }: ReaderHeaderProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const goBack = () => {
    if (historyState(location.state).openedFromList) void navigate(-1);
    else void navigate(paths.transcripts(childId), { replace: true });
  };
  return (
    <header className={`border-b border-line pb-2 md:px-6 md:pt-2.5 md:pb-3 ${className}`}>
      <div className="flex items-center gap-1">
        <button
          type="button"
          onClick={goBack}
          aria-label={t`Back to the conversations`}
          className="-ms-2 flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-quiet md:hidden"
        >
          <ChevronLeftIcon />
        </button>
        {children}
      </div>
      {details}
    </header>
  );
}
