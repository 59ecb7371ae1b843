import { type RefObject, useRef } from "react";

import { PhraseForm } from "./PhraseForm";
import { ChooseWhere } from "./ChooseWhere";
import { usePhraseDraft } from "./draft";
import { MOST_PHRASES, type Phrase } from "./phrases";
import { errorTexts, useChangePhrases, usePhrases } from "./queries";
import { StartingLists } from "./StartingLists";
import { SideName } from "./sides";
import { Failure } from "../api/Failure";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { useFocusAfterRemoval } from "../ui/focus";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";

interface WatchedPhrasesProps {
  child: Child;
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The phrases that this guardian watches for, phrases to begin with, and a form for others. */
export function WatchedPhrases({ child, heading }: WatchedPhrasesProps) {
  const query = usePhrases(child.child_id);
  return (
    <Section
      heading="Phrases you watch for"
      id="phrases"
      headingRef={heading}
      headingClassName="scroll-mt-20"
      className="flex flex-col gap-2"
    >
      <p className="max-w-[65ch]">
        You get an alert when one of them is said. A phrase matches whole words. Capitals, accents and
        punctuation don&apos;t matter.
      </p>
      <p className="max-w-[65ch] text-sm text-muted">
        Only you see your phrases: no other guardian, and not <bdi>{child.name}</bdi>.
      </p>
      <div className="flex flex-col gap-5 pt-3">
        <QueryView
          query={query}
          loading={{
            sentence: "Loading your phrases...",
            skeleton: <Skeleton shapes={["h-11 max-w-md", "h-11 max-w-md"]} />,
          }}
          errorText={errorTexts.phrases}
        >
          {(watched) => <Loaded child={child} watched={watched} heading={heading} />}
        </QueryView>
      </div>
    </Section>
  );
}

interface LoadedProps extends WatchedPhrasesProps {
  watched: readonly Phrase[];
}

function Loaded({ child, watched, heading }: LoadedProps) {
  const field = useRef<HTMLInputElement>(null);
  const { edit } = usePhraseDraft(child.child_id);
  const change = (phrase: Phrase) => {
    edit(phrase);
    field.current?.focus();
  };
  return (
    <>
      {watched.length === 0 ? (
        <OfferPage child={child} />
      ) : (
        <>
          <List child={child} watched={watched} heading={heading} />
          <ChooseWhere child={child} />
        </>
      )}
      {watched.length >= MOST_PHRASES && (
        <p role="status">
          You watch for {MOST_PHRASES} phrases. That is the most for a child. Stop watching for one before you
          add another.
        </p>
      )}
      <PhraseForm child={child} watched={watched} field={field} />
      <StartingLists child={child} watched={watched} onChange={change} />
    </>
  );
}

/** Before the first phrase, the guardian is offered to tell the child. */
function OfferPage({ child }: { child: Child }) {
  return (
    <Notice className="flex max-w-[65ch] flex-col gap-1 pt-3 pb-1">
      <p>
        Before you watch for a first phrase: does <bdi>{child.name}</bdi> know that what is said here is kept,
        and that you can read it? A page in a child&apos;s words says so. It says nothing of phrases.
      </p>
      <TextLink to={paths.forChild(child.child_id)} className="self-start">
        <span>
          A page for <bdi>{child.name}</bdi>
        </span>
      </TextLink>
    </Notice>
  );
}

function List({ child, watched, heading }: LoadedProps) {
  const change = useChangePhrases(child.child_id);
  const keys = watched.map(keyOf);
  const focus = { items: keys, target: "button", fallback: heading, preventScroll: true };
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>(focus);
  return (
    <div className="flex max-w-[65ch] flex-col gap-2">
      <ul ref={list} aria-labelledby="phrases" className="divide-y divide-line border-y border-line">
        {watched.map((phrase) => (
          <li key={keyOf(phrase)} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
            <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi className="font-bold">{plainText(phrase.words)}</bdi>{" "}
              <span className="text-sm whitespace-nowrap text-muted">
                <SideName side={phrase.side} childName={child.name} />
              </span>
            </p>
            <Button
              look="quiet"
              aria-label={`Stop watching for ${plainText(phrase.words)}`}
              disabled={change.isPending}
              onClick={() => {
                leave(keyOf(phrase));
                change.mutate({ kind: "stop", phrase });
              }}
            >
              Stop
            </Button>
          </li>
        ))}
      </ul>
      <Failure error={change.error} />
    </div>
  );
}

function keyOf({ words, side }: Phrase): string {
  return `${side} ${words}`;
}
