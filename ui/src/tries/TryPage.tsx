import { msg, t } from "@lingui/core/macro";
import { useRef } from "react";
import { useParams } from "react-router";

import { Answers } from "./Answers";
import { tryName } from "./EarlierTries";
import { type LoadedTry, useTries, useTry } from "./queries";
import { Result } from "./Result";
import { countToJudge, isNewestOf, isOver } from "./sentences";
import { StopOrHide } from "./StopOrHide";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { shortDate } from "../format/dates";
import { unreadableSentence } from "../format/unreadable";
import { idIn, paths } from "../paths";
import { BackLink } from "../ui/BackLink";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { PageHeading } from "../ui/PageHeading";
import { QuietLine } from "../ui/QuietLine";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";

export const TryPage = childPage(msg`Try your rules`, ChildTry);

function ChildTry({ child }: { child: Child }) {
  const tryId = idIn(useParams()["tryId"]);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col">
        <BackLink to={paths.tries(child.child_id)}>{t`Try your rules`}</BackLink>
        <PageHeading>{t`Questions and answers`}</PageHeading>
      </div>
      {tryId === null ? (
        <EmptyState>{t`There is nothing at this address, or no longer.`}</EmptyState>
      ) : (
        <OneTry key={tryId} child={child} tryId={tryId} />
      )}
    </div>
  );
}

function OneTry({ child, tryId }: { child: Child; tryId: number }) {
  const query = useTry(child.child_id, tryId);
  return (
    <QueryView query={query} loading={{ skeleton: resultSkeleton }}>
      {(loaded) => <Loaded child={child} loaded={loaded} />}
    </QueryView>
  );
}

function Loaded({ child, loaded: { summary, answers, unreadable } }: { child: Child; loaded: LoadedTry }) {
  const { data: known } = useTries(child.child_id);
  const part = useRef<HTMLElement>(null);
  const toJudge = countToJudge(summary);
  const isDone = isOver(summary);
  const now = new Date();
  const read = () => {
    const waiting = part.current?.querySelector<HTMLElement>("[data-waits]");
    (waiting ?? part.current?.querySelector<HTMLElement>("h2"))?.focus();
  };
  return (
    <>
      <Section heading={tryName(summary, now)} className="flex max-w-[65ch] flex-col gap-3">
        <Result one={summary} isNewest={known !== undefined && isNewestOf(summary, known.tries)} />
        {!isDone && <StopOrHide child={child} one={summary} />}
        {isDone && answers.length > 0 && (
          <Button className="self-start" onClick={read}>
            {toJudge > 0 ? t`Read the ${{ count: toJudge }}` : t`Read the answers`}
          </Button>
        )}
      </Section>
      <QuietLine sentence={unreadableSentence(unreadable, "record")} />
      {isDone &&
        (answers.length > 0 ? (
          <Answers ref={part} child={child} tryId={summary.try_id} answers={answers} />
        ) : (
          <p className="text-muted">
            {new Date(summary.answers_until) <= now
              ? t`The answers were deleted on ${{ date: shortDate(summary.answers_until, now) }}.`
              : t`No answer.`}
          </p>
        ))}
    </>
  );
}

const resultSkeleton = (
  <Skeleton shapes={["h-40 max-w-[65ch]", "h-56 max-w-[65ch]"]} className="flex-col gap-8" />
);
