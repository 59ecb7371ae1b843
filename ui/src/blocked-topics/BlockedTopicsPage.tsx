import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { LockIcon } from "lucide-react";
import { useMemo, useRef } from "react";

import { AddTopic } from "./AddTopic";
import { useBlockList } from "./block-list";
import { type Editing, type EditingAction, withChanges } from "./editing";
import { MandatoryTopics } from "./MandatoryTopics";
import { OwnTopics } from "./OwnTopics";
import { type SavedList, errorTexts } from "./queries";
import { remainingSuggestions, suggestedTopics } from "./rules";
import { StatusLine } from "./StatusLine";
import { SuggestedTopics } from "./SuggestedTopics";
import { WhoFollows } from "./WhoFollows";
import { AlertMe } from "../alerts/AlertMe";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { LongInstructions } from "../rules/LongInstructions";
import { sharedWith } from "../rules/shared-with";
import { paths } from "../paths";
import { topicName } from "../rules/standard-topics";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { TextLink } from "../ui/TextLink";
import { UndoLine } from "../ui/UndoLine";

export const BlockedTopicsPage = childPage(
  msg`Topic Block List`,
  ChildBlockList,
  <>
    <p>
      <Trans>Select a child tab above...</Trans>
    </p>
    <p className="pt-2 text-danger">
      <Trans>No child selected.</Trans>
    </p>
  </>,
);

function ChildBlockList({ child }: { child: Child }) {
  const { query, editing, dispatch } = useBlockList(child);
  const { name } = child;
  const heading = t`Topic Block List for ${name}`;
  return (
    <div className="flex flex-col gap-5">
      <PageHeading>{heading}</PageHeading>
      <QueryView
        query={query}
        loading={{ sentence: t`Loading blocked topics for ${name}...`, skeleton: listSkeleton }}
        errorText={errorTexts.load}
      >
        {(saved) => <LoadedList child={child} saved={saved} editing={editing} dispatch={dispatch} />}
      </QueryView>
    </div>
  );
}

interface LoadedListProps {
  child: Child;
  saved: SavedList;
  editing: Editing;
  dispatch: (action: EditingAction) => void;
}

function LoadedList({ child, saved, editing, dispatch }: LoadedListProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { draft, unsaved, lastAdded, lastRemoved, status } = editing;
  const own = useMemo(() => withChanges(saved.topics, unsaved), [saved.topics, unsaved]);
  const suggestions = useMemo(() => remainingSuggestions(own), [own]);
  const saving = status.kind === "saving";
  return (
    <>
      <Explanation name={child.name} guardians={saved.guardians} />
      <div className={strip}>
        <div className="pointer-events-auto bg-page py-2">
          <AddTopic draft={draft} saving={saving} dispatch={dispatch} />
        </div>
        <StatusLine status={status} unsaved={unsaved.length > 0} dispatch={dispatch}>
          {lastAdded !== null && !suggestedTopics.includes(lastAdded) && (
            <AlertMe child={child} topic={lastAdded} />
          )}
          {lastRemoved !== null && (
            <UndoLine
              onUndo={() => {
                heading.current?.focus({ preventScroll: true });
                dispatch({ kind: "undo" });
              }}
            >
              <Trans>Removed: {{ what: isolated(topicName(lastRemoved)) }}.</Trans>
            </UndoLine>
          )}
        </StatusLine>
      </div>
      <Section
        heading={t`Currently Blocked Topics`}
        headingRef={heading}
        className={`flex flex-col gap-3 ${belowInput}`}
      >
        <MandatoryTopics dispatch={dispatch} />
        <OwnTopics own={own} lastAdded={lastAdded} saving={saving} dispatch={dispatch} heading={heading} />
        <LongInstructions childId={child.child_id} />
      </Section>
      <WhoFollows child={child} />
      <TextLink to={paths.tries(child.child_id)} className="self-start print:hidden">
        {t`Try your rules`}
      </TextLink>
      {suggestions.length > 0 && (
        <Section
          heading={t`Example Topics to Block`}
          id="examples"
          about={t`Click a topic below to add it to your blocked list.`}
          className={`flex flex-col gap-3 pt-3 print:hidden ${belowInput}`}
        >
          <SuggestedTopics suggestions={suggestions} saving={saving} dispatch={dispatch} heading={heading} />
        </Section>
      )}
    </>
  );
}

/**
 * The input and its status stay in sight above a long list as one strip: the input while it has the focus, unless the window
 * is low or the text large, the status always. Otherwise the input's height scrolls away below the top bar.
 */
const strip =
  "pointer-events-none sticky top-[calc(env(safe-area-inset-top)-4.25rem)] z-10 -my-2 print:hidden sm:top-[calc(env(safe-area-inset-top)-1.625rem)] [@media(min-height:40rem)]:focus-within:top-[calc(4rem+env(safe-area-inset-top))]";

/** Chips and buttons that are scrolled into view are not covered by the top bar, the input and its status. */
const belowInput = "[&_:is(li,button)]:scroll-mt-64 sm:[&_:is(li,button)]:scroll-mt-52";

function Explanation({ name, guardians }: { name: string; guardians: number }) {
  return (
    <div className="flex max-w-[68ch] flex-col gap-2">
      <p>
        <Trans>
          The assistant avoids these topics when it talks with <bdi>{name}</bdi>. Those marked with a{" "}
          <span className="whitespace-nowrap">
            lock <LockIcon className="inline size-4 align-[-0.125em] text-muted" />
          </span>{" "}
          are mandatory and cannot be removed. Type your own, or pick from the suggestions below.
        </Trans>
      </p>
      <p className="text-sm text-muted">
        <Trans>
          This list is private to you as a parent: <bdi>{name}</bdi> is not notified when a topic is blocked.
        </Trans>{" "}
        {sharedWith(guardians)}
      </p>
    </div>
  );
}

const listSkeleton = (
  <>
    <Skeleton shapes={["h-18 max-w-[68ch]", "h-11", "h-64 sm:h-48"]} className="flex-col gap-6" />
    <Skeleton shapes={["h-11 w-40", "h-11 w-56", "h-11 w-32"]} className="flex-wrap gap-2 pt-6" />
  </>
);
