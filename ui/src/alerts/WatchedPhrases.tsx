import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useRef, useState } from "react";

import { PhraseForm } from "./PhraseForm";
import { ChooseWhere } from "./ChooseWhere";
import { usePhraseDraft } from "./draft";
import { MOST_PHRASES, type Phrase, isWatched, tooMany } from "./phrases";
import { useChangePhrases, usePhrases } from "./queries";
import { StartingLists } from "./StartingLists";
import { SideName } from "./sides";
import { StoppedWatching } from "./StoppedWatching";
import { Failure } from "../api/Failure";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { OfferPage } from "../identity/OfferPage";
import { plainText } from "../format/plain-text";
import { Button } from "../ui/Button";
import { useFocusAfterUndo } from "../ui/focus";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";
import { UndoLine } from "../ui/UndoLine";

/** The phrases that this guardian watches for, phrases to begin with, and a form for others. */
export function WatchedPhrases({ child }: { child: Child }) {
  const query = usePhrases(child.child_id);
  return (
    <QueryView
      query={query}
      loading={{
        skeleton: <Skeleton shapes={["h-11 max-w-md", "h-11 max-w-md"]} />,
      }}
    >
      {(watched) => <Loaded child={child} watched={watched} />}
    </QueryView>
  );
}

interface LoadedProps {
  child: Child;
  watched: readonly Phrase[];
}

function Loaded({ child, watched }: LoadedProps) {
  const { name } = child;
  const field = useRef<HTMLInputElement>(null);
  const { edit } = usePhraseDraft(child.child_id);
  const change = (phrase: Phrase) => {
    edit(phrase);
    field.current?.focus();
  };
  return (
    <div className="flex max-w-[65ch] flex-col gap-7">
      <Section heading={t`Phrases you watch for`} id="phrases" className="flex flex-col gap-2">
        <p>
          <Trans>
            Only you see them: no other guardian, and not <bdi>{name}</bdi>.
          </Trans>
        </p>
        <List child={child} watched={watched} />
        {watched.length === 0 ? (
          <OfferPage childId={child.child_id} name={name} />
        ) : (
          <ChooseWhere child={child} />
        )}
        {watched.length >= MOST_PHRASES && <p role="status">{tooMany()}</p>}
      </Section>
      <StartingLists child={child} watched={watched} onChange={change} />
      <PhraseForm child={child} watched={watched} field={field} />
    </div>
  );
}

/** A phrase that was stopped here stays in its place as a line with an undo. */
function List({ child, watched }: LoadedProps) {
  const [stopped, setStopped] = useState<readonly Phrase[]>([]);
  const [order, setOrder] = useState(watched);
  const added = watched.filter((phrase) => !isWatched(order, phrase));
  if (added.length > 0) setOrder([...order, ...added]);
  const shown = order.filter((phrase) => isWatched(watched, phrase) || isWatched(stopped, phrase));
  if (shown.length === 0) return null;
  return (
    <ul aria-labelledby="phrases" className="divide-y divide-line border-y border-line">
      {shown.map((phrase) => (
        <Row
          key={`${phrase.side} ${phrase.words}`}
          child={child}
          phrase={phrase}
          isStopped={!isWatched(watched, phrase)}
          onStop={() => setStopped([...stopped, phrase])}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  child: Child;
  phrase: Phrase;
  isStopped: boolean;
  onStop: () => void;
}

function Row({ child, phrase, isStopped, onStop }: RowProps) {
  const change = useChangePhrases(child.child_id);
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isStopped);
  const words = plainText(phrase.words);
  const id = useId();
  const put = (kind: "watch" | "stop") => {
    press();
    change.mutate({ kind, phrase });
  };
  return (
    <li className="py-1">
      <div ref={area}>
        {isStopped ? (
          <UndoLine disabled={change.isPending} onUndo={() => put("watch")}>
            <StoppedWatching words={phrase.words} />
          </UndoLine>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi id={id} className="font-bold">
                {words}
              </bdi>{" "}
              <span className="text-sm whitespace-nowrap text-muted">
                <SideName side={phrase.side} childName={child.name} />
              </span>
            </p>
            <Button
              look="quiet"
              about={id}
              busy={change.isPending}
              onClick={() => {
                onStop();
                put("stop");
              }}
            >
              <Trans>Stop</Trans>
            </Button>
          </div>
        )}
      </div>
      <Failure error={change.error} />
    </li>
  );
}
