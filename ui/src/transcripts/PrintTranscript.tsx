import { Trans } from "@lingui/react/macro";
import { createPortal } from "react-dom";

import { emptyMessage, fromAppWords, interruptedSentence, sentWords } from "./Bubble";
import { earlierText, earlierWords, notHeardWords } from "./EarlierTexts";
import { foldHeading } from "./Fold";
import { NotKept } from "./NotKept";
import type { ListedSession } from "./queries";
import type { ReceiptLine } from "./receipts";
import { type MessageRow, isBubble } from "./rows";
import { type LoadedConversation, useLoadAll } from "./use-conversation";
import { messageName, speakerClass } from "../format/speaker";
import { unreadableSentence } from "../format/unreadable";
import { usePrinting } from "../ui/printing";

interface PrintTranscriptProps {
  childName: string;
  session: ListedSession;
  receipt: ReceiptLine | undefined;
  conversation: LoadedConversation;
}

/**
 * Prints a whole transcript. The screen renders only what is in view, so all pages are loaded first. `print` is undefined if
 * there is nothing to print.
 */
export function usePrint(conversation: LoadedConversation) {
  const { data } = conversation;
  const { loadingAll, loadAll } = useLoadAll(conversation);
  const print = () =>
    void loadAll((complete) => {
      // A failed page is reported below the last message; an incomplete transcript is not printed.
      if (complete) window.print();
    });
  return { loadingAll, print: data === undefined || data.rows.length === 0 ? undefined : print };
}

/** The printable version, rendered while the browser prints. The browser's own print command prints what has been loaded. */
export function PrintedTranscript({ childName, session, receipt, conversation }: PrintTranscriptProps) {
  const { data } = conversation;
  const printing = usePrinting();
  if (!printing || data === undefined || data.rows.length === 0) return null;
  return createPortal(
    <Paper childName={childName} session={session} receipt={receipt} data={data} />,
    document.body,
  );
}

interface PaperProps extends Omit<PrintTranscriptProps, "conversation"> {
  data: NonNullable<LoadedConversation["data"]>;
}

/** The printable version: black on white, no controls. */
function Paper({ childName, session, receipt, data }: PaperProps) {
  const missing = unreadableSentence(data.unreadable, "message");
  return (
    <article ref={replaceApp} className="hidden text-[11pt] leading-[1.45] wrap-anywhere print:block">
      <h1 dir="auto" className="text-[16pt] font-bold">
        <Trans>Transcript: {{ topic: session.topic }}</Trans>
      </h1>
      <p>
        {childName}, {session.date}
      </p>
      {receipt !== undefined && (
        <p>
          <bdi>{receipt.name}</bdi> {receipt.words}
        </p>
      )}
      {missing !== null && <p>{missing}</p>}
      <NotKept session={session} />
      {data.rows.map((row) =>
        row.kind === "message" ? (
          <PaperMessage key={row.id} row={row} childName={childName} />
        ) : (
          <section key={row.id} className="pt-[10pt] ps-[18pt] text-[9pt]">
            <p className="break-after-avoid">{foldHeading(row)}</p>
            {row.messages.map((message) => (
              <PaperMessage key={message.id} row={message} childName={childName} />
            ))}
          </section>
        ),
      )}
    </article>
  );
}

function PaperMessage({ row, childName }: { row: MessageRow; childName: string }) {
  const { speaker, startsRun, shownTime, text, notHeard, interrupted, generated, fromApp } = row;
  return (
    <div className={startsRun ? "pt-[10pt]" : ""}>
      {shownTime !== null && <p className="pb-[6pt] text-center text-[9pt]">{shownTime}</p>}
      {startsRun && isBubble(row) && (
        <p dir="auto" className={`break-after-avoid font-bold ${speakerClass(speaker)}`}>
          {messageName(row, childName)}
        </p>
      )}
      <p dir="auto" className="whitespace-pre-wrap">
        {text === "" && notHeard === "" ? emptyMessage() : text}
        {interrupted && ` — (${interruptedSentence()})`}
        {generated && ` (${sentWords()})`}
        {fromApp && ` (${fromAppWords()})`}
      </p>
      {row.earlier.map((earlier, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two corrections may have the same text and time
        <p key={index} dir="auto" className="ps-[18pt] text-[9pt] whitespace-pre-wrap">
          ({earlierWords(row, earlier)}) {earlierText(row, earlier, childName)}
        </p>
      ))}
      {notHeard !== "" && (
        <p dir="auto" className="ps-[18pt] text-[9pt] whitespace-pre-wrap">
          ({notHeardWords()}) {notHeard}
        </p>
      )}
    </div>
  );
}

/** Hides the app in print while the printable version is rendered. */
function replaceApp() {
  document.body.toggleAttribute("data-paper", true);
  return () => document.body.removeAttribute("data-paper");
}
