import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useId, useRef, useState } from "react";

import { Line } from "./AlertItem";
import { type PhraseDraft, usePhraseDraft } from "./draft";
import { MOST_PHRASES, type Phrase, refusalOfWords, refusalToWatch } from "./phrases";
import { useChangePhrases } from "./queries";
import { SideName, sides } from "./sides";
import { triedSentence, useTry } from "./trying";
import { Failure } from "../api/Failure";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { capitalized, relativeTime } from "../format/dates";
import { BUSY, Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { Form } from "../ui/Form";
import { RadioGroup } from "../ui/RadioGroup";
import { revealed, useFocusAfterChange } from "../ui/focus";

interface PhraseFormProps {
  child: Child;
  watched: readonly Phrase[];
  field: RefObject<HTMLInputElement | null>;
}

/** A phrase of the guardian's own: it is tried, and then watched. */
export function PhraseForm({ child, watched, field }: PhraseFormProps) {
  const { name } = child;
  const { draft, edit, tryIt, clear } = usePhraseDraft(child.child_id);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const id = useId();
  const note = useRef<HTMLParagraphElement>(null);
  useFocusAfterChange(added, () => note.current);
  const change = (phrase: Phrase) => {
    setRefusal(null);
    setAdded(null);
    edit(phrase);
  };
  const submit = () => {
    setAdded(null);
    const refused = refusalOfWords(draft.words);
    setRefusal(refused);
    if (refused === null) tryIt(draft);
  };
  return (
    <div className="flex flex-col gap-3">
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-words`} className="font-bold">
            <Trans>A phrase of your own</Trans>
          </label>
          <input
            ref={field}
            id={`${id}-words`}
            dir="auto"
            autoComplete="off"
            enterKeyHint="search"
            value={draft.words}
            aria-invalid={refusal !== null}
            aria-describedby={`${id}-refusal`}
            onChange={({ target }) => change({ words: target.value, side: draft.side })}
            className="min-h-11 w-full scroll-mt-24 rounded-control border border-edge bg-surface px-3.5 text-base"
          />
          <p id={`${id}-refusal`} role="alert" className="text-sm text-danger empty:hidden">
            {refusal}
          </p>
        </div>
        <RadioGroup
          legend={t`Who says it?`}
          options={sides.map((side) => ({
            value: side,
            label: <SideName side={side} childName={child.name} />,
          }))}
          chosen={draft.side}
          onChoose={(side) => change({ words: draft.words, side })}
          className="flex flex-col"
          isRow
        >
          <p className="text-sm text-muted">
            <Trans>
              <bdi>{name}</bdi>&apos;s side can include a friend or the television.
            </Trans>
          </p>
        </RadioGroup>
        <Button type="submit" look="plain" className="self-start" disabled={draft.words.trim() === ""}>
          <Trans>Try it</Trans>
        </Button>
      </Form>
      {draft.isTried && (
        <Result
          child={child}
          phrase={draft}
          watched={watched}
          onWatched={() => {
            setAdded(draft.words.trim());
            clear(draft);
          }}
        />
      )}
      {added !== null && (
        <p ref={note} tabIndex={-1}>
          <Trans>Saved.</Trans>
        </p>
      )}
    </div>
  );
}

interface ResultProps {
  child: Child;
  phrase: PhraseDraft;
  watched: readonly Phrase[];
  onWatched: () => void;
}

/** How often the phrase would have alerted, the newest matches, and the button that watches for it. */
function Result({ child, phrase: { words, side }, watched, onWatched }: ResultProps) {
  const phrase = { words: words.trim(), side };
  const id = useId();
  const { data, error, refetch } = useTry(child.child_id, phrase, true);
  const change = useChangePhrases(child.child_id, onWatched);
  const refusal = change.isPending ? null : refusalToWatch(phrase, watched);
  if (data === undefined && error !== null)
    return <ErrorState sentence={errorMessage(error)} onRetry={() => void refetch()} />;
  return (
    <div
      ref={revealed}
      className="flex scroll-mb-24 flex-col gap-3 rounded-surface border border-line bg-surface px-4 py-3"
    >
      <p id={id} role="status" className="font-bold">
        {data === undefined ? t`Loading...` : triedSentence(data)}
      </p>
      {data !== undefined && data.matches.length > 0 && (
        <ul aria-labelledby={id} className="flex flex-col gap-3">
          {data.matches.map((match) => (
            <li key={match.message_id} className="border-s-2 border-line ps-3 [overflow-wrap:anywhere]">
              <p className="text-xs text-muted tabular-nums">
                {capitalized(relativeTime(match.timestamp, new Date()))}
              </p>
              <Line message={match} unsaid={match.kind} childName={child.name} />
            </li>
          ))}
        </ul>
      )}
      {data !== undefined &&
        (refusal === null ? (
          <Button
            className="self-start"
            busy={change.isPending}
            busyLabel={BUSY}
            onClick={() => change.mutate({ kind: "watch", phrase })}
          >
            <Trans>Watch for it</Trans>
          </Button>
        ) : (
          <p className={watched.length >= MOST_PHRASES ? "text-danger" : "text-muted"}>{refusal}</p>
        ))}
      <Failure error={change.error} />
    </div>
  );
}
