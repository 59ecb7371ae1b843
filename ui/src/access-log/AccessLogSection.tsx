import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { nameOf, othersSentences, ownSentences, weekWords } from "./sentences";
import { useGetAccessLog } from "../api/generated/client/children/children";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { unreadableRows } from "../api/unreadable-rows";
import { unreadableSentence } from "../format/unreadable";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { Disclosure } from "../ui/Disclosure";

type Other = components["schemas"]["OthersAccess"];

/** Who read what a child said: oneself by day, and everybody else by week. */
export function AccessLogSection({ childId }: { childId: number }) {
  // No event tells of a read.
  const query = useGetAccessLog(childId, { query: { staleTime: 0 } });
  return (
    <Section heading={t`Who looked`}>
      <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-5 max-w-md"]} /> }}>
        {(page) => {
          const looks = page.data;
          const others = looks.others.map((other, index) => ({ other, key: `${other.by} ${index}` }));
          return (
            <>
              <QuietLine sentence={unreadableSentence(unreadableRows([page]), "record")} />
              <p>{ownSentences(looks)}</p>
              {others.map(({ other, key }) => (
                <p key={key} className="max-w-[65ch] [overflow-wrap:anywhere]">
                  {othersSentences(other, looks.today)}
                </p>
              ))}
              <Earlier others={looks.others} today={looks.today} />
              {looks.others.some(({ by }) => by === "guardian") && (
                <p className="max-w-[65ch] text-muted">
                  <Trans>The others see on how many days of a week you read, and when you took a copy.</Trans>
                </p>
              )}
              <p className="max-w-[65ch] text-muted">
                <Trans>Whoever runs this server can copy its files. That doesn&apos;t show here.</Trans>
              </p>
            </>
          );
        }}
      </QueryView>
    </Section>
  );
}

/** The weeks of the last 400 days in which somebody else read. */
function Earlier({ others, today }: { others: readonly Other[]; today: string }) {
  const readers = others
    .map((other, index) => ({ name: nameOf(other), weeks: other.weeks, key: `${other.by} ${index}` }))
    .filter(({ weeks }) => weeks.length > 1);
  if (readers.length === 0) return null;
  return (
    <Disclosure summary={t`Show earlier`} summaryClassName="text-primary">
      <div className="flex flex-col gap-3 pb-2">
        {readers.map(({ name, weeks, key }) => (
          <div key={key}>
            <h3 className="font-bold [overflow-wrap:anywhere]">{name}</h3>
            <ul className="flex flex-col gap-1">
              {weeks.map((week) => (
                <li key={week.week}>{weekWords(week, today)}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Disclosure>
  );
}
