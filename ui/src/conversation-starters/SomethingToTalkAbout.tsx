import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link } from "react-router";

import { type ConversationStarter, useHide, useSwitch } from "./starters";
import { Failure } from "../api/Failure";
import {
  getGetConversationStartersQueryOptions,
  useGetConversationStarters,
} from "../api/generated/client/curious/curious";
import { useListMessages } from "../api/generated/client/transcripts/transcripts";
import { errorMessage } from "../api/problem";
import { useStayingFailure } from "../api/staying-failure";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { focusHeading } from "../ui/focus";
import { Marked } from "../ui/Marked";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { Disclosure } from "../ui/Disclosure";

/** Loads what the section shows, and returns the section. If loading fails, it shows nothing. */
export async function loadSomethingToTalkAbout(queries: QueryClient, childId: number) {
  await queries.prefetchQuery(getGetConversationStartersQueryOptions(childId));
  return SomethingToTalkAbout;
}

/** What the child was curious about this week: subjects first, its words on a tap. */
function SomethingToTalkAbout({ child }: { child: Child }) {
  const questions = useGetConversationStarters(child.child_id).data?.data.questions ?? [];
  const id = useId();
  const turn = useSwitch(child.child_id);
  if (questions.length === 0) return null;
  return (
    <Section
      heading={t`Something to talk about`}
      isSmall
      id={id}
      className="flex flex-col gap-2 print:hidden"
    >
      <ul className="flex flex-col divide-y divide-line">
        {questions.map((question) => (
          <li key={`${question.session_id} ${question.message_id}`}>
            <Question child={child} question={question} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-3">
        <Button
          look="quiet"
          about={id}
          className="-mx-4"
          busy={turn.isPending}
          onClick={() => void thenFocus(turn.mutateAsync({ childId: child.child_id, data: { on: false } }))}
        >
          <Trans>Switch off</Trans>
        </Button>
        <p className="text-sm text-muted">
          <Trans>For all guardians, until it is turned on in App Settings.</Trans>
        </p>
      </div>
      <Failure error={turn.error} />
    </Section>
  );
}

/** The focused button is removed with what it hides. A failure is shown beside it. */
async function thenFocus(hidden: Promise<unknown>): Promise<void> {
  try {
    await hidden;
    focusHeading();
  } catch {
    // The button stays.
  }
}

function Question({ child, question }: { child: Child; question: ConversationStarter }) {
  const [isOpen, setOpen] = useState(false);
  const hide = useHide(child.child_id);
  const id = useId();
  const { name } = child;
  const { session_id: session, message_id: message } = question;
  const subject = plainText(question.subject);
  return (
    <Disclosure
      summary={
        <Trans>
          <bdi>{name}</bdi> was curious about{" "}
          <bdi id={id} className="font-bold">
            {subject}
          </bdi>{" "}
          this week.
        </Trans>
      }
      summaryClassName=""
      onToggle={setOpen}
    >
      <div className="flex max-w-[65ch] flex-col items-start gap-2 pb-3">
        {isOpen && <Words question={question} />}
        <p>
          <Trans>
            Start with the subject. Don&apos;t quote <bdi>{name}</bdi>.
          </Trans>
        </p>
        <div className="flex flex-wrap items-center gap-x-4">
          <Link
            to={paths.transcripts(child.child_id, session)}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            <Trans>The conversation</Trans>
          </Link>
          <Button
            look="quiet"
            busy={hide.isPending}
            about={id}
            onClick={() =>
              void thenFocus(
                hide.mutateAsync({
                  childId: child.child_id,
                  data: { session_id: session, message_id: message },
                }),
              )
            }
          >
            <Trans>Hide</Trans>
          </Button>
        </div>
        <Failure error={hide.error} />
      </div>
    </Disclosure>
  );
}

/** The child's words. They are loaded when they are opened, which counts as reading. */
function Words({
  question: { session_id: session, message_id: id, ranges },
}: {
  question: ConversationStarter;
}) {
  const query = useListMessages(session, { around: id, limit: 1 });
  const { failure, retry } = useStayingFailure(query);
  if (query.data === undefined) {
    if (failure === null) return <Skeleton shapes={["h-6 max-w-64"]} />;
    const sentence = errorMessage(failure);
    return <ErrorState sentence={sentence} onRetry={retry} />;
  }
  const text = query.data.data.messages.find(({ message_id: found }) => found === id)?.text_content;
  if (text === undefined)
    return (
      <p className="text-muted">
        <Trans>It is no longer there.</Trans>
      </p>
    );
  const [start, end] = ranges[0] ?? [];
  const parts = [
    { text: text.slice(0, start), marked: false },
    { text: text.slice(start, end), marked: start !== undefined },
    ...(end === undefined ? [] : [{ text: text.slice(end), marked: false }]),
  ];
  return (
    <blockquote className="border-s-4 border-line ps-3 [overflow-wrap:anywhere]" dir="auto">
      <Marked parts={start === undefined ? [{ text, marked: false }] : parts} />
    </blockquote>
  );
}
