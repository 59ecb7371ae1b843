import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

import type { LoadedConversation } from "./live-conversation";
import type { Row } from "./rows";
import type { ListedSession } from "./sessions";
import { plainText } from "../format/plain-text";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";

interface PrintTranscriptProps {
  childName: string;
  session: ListedSession;
  conversation: LoadedConversation;
}

/**
 * Prints a transcript whole. On screen only what is in sight is there, so all of it is loaded first and laid out on
 * paper of its own, which is there only while the browser prints. Its own command prints what has been loaded.
 */
export function PrintTranscript({ childName, session, conversation }: PrintTranscriptProps) {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = conversation;
  const [wanted, setWanted] = useState(false);
  const onPaper = usePrinting();

  const gathering = wanted && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!wanted || isFetching || data === undefined) return undefined;
    if (gathering) {
      void fetchNextPage({ cancelRefetch: false });
      return undefined;
    }
    // Printing asks React to draw at once, which it can't within an effect.
    const printing = setTimeout(() => {
      setWanted(false);
      // What could not be loaded is said below the last message; half a transcript is not printed as if it were whole.
      if (!hasNextPage) window.print();
    });
    return () => clearTimeout(printing);
    // `data` too: a fast answer begins and ends between two renderings.
  }, [wanted, gathering, hasNextPage, isFetching, fetchNextPage, data]);

  if (data === undefined || data.rows.length === 0) return null;
  return (
    <>
      <Button look="quiet" className="-my-1.5 shrink-0 px-3" busy={wanted} onClick={() => setWanted(true)}>
        Print
      </Button>
      {onPaper &&
        createPortal(
          <Paper
            childName={childName}
            session={session}
            rows={data.rows}
            missing={unreadableSentence(data.unreadable, "message")}
          />,
          document.body,
        )}
    </>
  );
}

/** Black on white, who said what, and nothing to press. */
function Paper({
  childName,
  session,
  rows,
  missing,
}: {
  childName: string;
  session: ListedSession;
  rows: readonly Row[];
  missing: string | null;
}) {
  return (
    <article className="paper">
      <h1 dir="auto">Transcript: {session.topic}</h1>
      <p>
        {childName}, {session.date}
      </p>
      {missing !== null && <p>{missing}</p>}
      {rows.map(({ message, speaker, startsRun, moment }) => (
        <div key={message.message_id} className={startsRun ? "paper-run" : ""}>
          {moment !== null && <p className="paper-moment">{moment}</p>}
          {startsRun && <p className="paper-speaker">{plainText(speaker)}</p>}
          <p dir="auto" className="paper-words">
            {plainText(message.text_content ?? "")}
            {message.interrupted === true && " — (Interrupted. The rest was not heard.)"}
          </p>
        </div>
      ))}
    </article>
  );
}

/** Whether the browser is printing; what is drawn for that is there before it looks. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}
