import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router";

import {
  type DaySentence,
  isQuiet,
  notesOf,
  timeInConversations,
  todayAndYesterday,
  totals,
  untilNextDay,
  weekdays,
} from "./overview";
import { WeekChart } from "./WeekChart";
import { useGetMetrics } from "../api/generated/client/summary/summary";
import type { components } from "../api/generated/schema";
import { errorMessage, isAway } from "../api/problem";
import { RETRY_MS } from "../api/query-client";
import { useStayingFailure } from "../api/staying-failure";
import type { Child } from "../children/children";
import { capitalized, relativeTime } from "../format/dates";
import { inWords } from "../format/durations";
import { labelled, andMore } from "../format/labelled";
import { plainText } from "../format/plain-text";
import { countConversations } from "../format/retention";
import { paths } from "../paths";
import { ErrorState } from "../ui/ErrorState";
import { useToday } from "../ui/now";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";
import { Disclosure } from "../ui/Disclosure";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";

type Metrics = components["schemas"]["Metrics"];
type TopicMetrics = components["schemas"]["TopicMetrics"];

/** The maximum number of topics shown. */
const TOPICS = 6;

/** The overview above the summary. If it fails to load, the summary still shows. */
export function Overview({ child, summary }: { child: Child; summary: unknown }) {
  const query = useGetMetrics(child.child_id, undefined, {
    query: {
      // Refetched when the server's current day ends.
      refetchInterval: ({ state: { data: known, error } }) => {
        if (known === undefined) return false;
        return isAway(error) ? RETRY_MS : untilNextDay(known.data, new Date());
      },
    },
  });
  const { failure, retry } = useStayingFailure(query);
  if (query.data !== undefined) return <Days child={child} metrics={query.data.data} summary={summary} />;
  if (failure !== null) {
    return <ErrorState sentence={errorMessage(failure)} onRetry={retry} />;
  }
  return (
    <Skeleton shapes={["h-6 w-4/5", "h-6 w-3/5", "mt-3 h-6 w-1/2", "h-40"]} className="flex-col gap-2" />
  );
}

const part = { isSmall: true, isAboutBeside: true, className: "flex flex-col gap-2" } as const;

function Days({ child, metrics, summary }: { child: Child; metrics: Metrics; summary: unknown }) {
  const week = weekdays(metrics);
  const { thisWeek, lastWeek } = totals(week);
  return (
    <>
      <div className="flex flex-col gap-1.5 text-lg">
        {todayAndYesterday(metrics).map((sentence) => (
          <p key={sentence.label} className="max-w-[60ch] [overflow-wrap:anywhere]">
            <Sentence {...sentence} />
          </p>
        ))}
      </div>
      <Section
        {...part}
        heading={labelled(t`This week`, inWords(thisWeek))}
        about={labelled(t`Last week`, inWords(lastWeek))}
      >
        <WeekChart week={week} />
      </Section>
      {!isQuiet(metrics) && <Topics child={child} topics={metrics.topics} />}
      <Notes summary={summary} />
    </>
  );
}

function Sentence({ label, text, topics, more }: DaySentence) {
  const day = (
    <span className="font-bold">
      <Trans comment="Today or yesterday">{label}:</Trans>
    </span>
  );
  if (topics.length === 0) {
    return (
      <Trans comment="{day} is 'Today:', {text} '12 minutes in 1 conversation'">
        {day} {text}.
      </Trans>
    );
  }
  const shown = topics.map(isolated);
  const names = more > 0 ? andMore(shown.join(", "), more) : joinNames(shown);
  return (
    <Trans>
      {day} {text}, about {names}.
    </Trans>
  );
}

/** Each topic's conversations are folded under it. */
function Topics({ child: { child_id: childId }, topics }: { child: Child; topics: readonly TopicMetrics[] }) {
  if (topics.length === 0) return null;
  return (
    <Section {...part} heading={t`What it was about`} about={t`Since Monday of last week`}>
      <ul className="flex flex-col divide-y divide-line">
        {topics.slice(0, TOPICS).map((topic, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two topics may read the same
          <li key={index}>
            <Topic childId={childId} topic={topic} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Topic({
  childId,
  topic: { topic, seconds, sessions, newest },
}: {
  childId: number;
  topic: TopicMetrics;
}) {
  const now = useToday();
  const older = sessions - newest.length;
  return (
    <Disclosure
      summary={
        <span className="flex flex-wrap items-baseline gap-x-3">
          <bdi className="font-bold">{plainText(topic)}</bdi>
          <span className="text-sm text-muted">{extent(seconds, sessions)}</span>
        </span>
      }
      summaryClassName=""
    >
      <ul className="pb-1.5 ps-6.5">
        {newest.map(({ session_id: session, date }) => (
          <li key={session}>
            <Link
              to={paths.transcripts(childId, session)}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {capitalized(relativeTime(date, now))}
            </Link>
          </li>
        ))}
        {older > 0 && (
          <li className="flex min-h-11 items-center text-muted">
            {plural(older, {
              one: "# earlier one is in the transcripts.",
              other: "# earlier ones are in the transcripts.",
            })}
          </li>
        )}
      </ul>
    </Disclosure>
  );
}

/** A single conversation isn't counted. */
function extent(seconds: number, sessions: number): string {
  if (sessions <= 1) return seconds > 0 ? inWords(seconds) : "";
  return seconds > 0 ? timeInConversations(seconds, sessions) : countConversations(sessions);
}

function Notes({ summary }: { summary: unknown }) {
  const notes = notesOf(summary);
  if (notes.length === 0) return null;
  return (
    <Section {...part} heading={t`The assistant's own note`}>
      <dl className="flex max-w-[65ch] flex-col gap-2">
        {notes.map(({ label, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two labels may read the same
          <div key={index}>
            <dt className="text-sm text-muted">
              <bdi>{label}</bdi>
            </dt>
            <dd className="line-clamp-6 [overflow-wrap:anywhere] whitespace-pre-line" dir="auto">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
