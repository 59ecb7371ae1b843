/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on a phone the rows are laid out as cards, and a browser then no longer treats the table as one */
import { memo, useEffect, useRef } from "react";
import { Link } from "react-router";

import { Mood } from "./Mood";
import type { CompletedActivity } from "./queries";
import { activityDate } from "../format/dates";
import { duration } from "../format/durations";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

interface CompletedActivitiesProps {
  childId: number;
  name: string;
  activities: readonly CompletedActivity[];
  /** How to load the next page; null on the last one. */
  more: { loading: boolean; failure: string | null; load: () => void } | null;
}

const columns = ["Date", "Topic", "Duration", "Outcome/Score", "Mood"] as const;

/** The completed activities, newest first, each with a link to its transcript. On a phone each row is a small card of its own. */
export function CompletedActivities({ childId, name, activities, more }: CompletedActivitiesProps) {
  const body = useFocusOnNewRows(activities.length);
  return (
    <div className="flex flex-col items-start gap-5">
      <table role="table" className="w-full text-left max-sm:block">
        <caption className="pb-3 text-left text-sm text-muted [overflow-wrap:anywhere] max-sm:block">
          A list of {name}&apos;s completed activities.
        </caption>
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row" className="border-b border-line text-sm text-muted">
            {columns.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={`py-2 font-bold ${column === "Mood" ? "w-24 text-center" : "pr-5 whitespace-nowrap"}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" className="max-sm:flex max-sm:flex-col">
          {activities.map((activity) => (
            <Row key={activity.session_id} childId={childId} activity={activity} />
          ))}
        </tbody>
      </table>
      {more !== null && (
        <>
          {more.failure !== null && <Alert kind="error">{more.failure}</Alert>}
          <Button
            look="plain"
            busy={more.loading}
            busyLabel="Loading..."
            onClick={() => {
              body.current?.setAttribute("data-wants-more", "");
              more.load();
            }}
          >
            Show earlier activities
          </Button>
        </>
      )}
    </div>
  );
}

/** On a phone the cells are reordered: topic and mood first, then date and duration, then the outcome. */
const Row = memo(({ childId, activity }: { childId: number; activity: CompletedActivity }) => (
  <tr
    role="row"
    tabIndex={-1}
    className="border-b border-line max-sm:flex max-sm:flex-wrap max-sm:items-start max-sm:gap-x-4 max-sm:gap-y-0.5 max-sm:py-3.5"
  >
    <td
      role="cell"
      className="text-muted tabular-nums max-sm:order-3 max-sm:text-sm sm:py-3 sm:pr-5 sm:align-top sm:whitespace-nowrap"
    >
      {activityDate(activity.date)}
    </td>
    <td
      role="cell"
      dir="auto"
      className="text-left font-bold [overflow-wrap:anywhere] max-sm:order-1 max-sm:min-w-0 max-sm:flex-1 max-sm:basis-3/5 sm:w-2/5 sm:py-3 sm:pr-5 sm:align-top"
    >
      <Link
        to={paths.transcripts(childId, activity.session_id)}
        aria-label={activity.topic === "-" ? "Transcript of a session without a topic" : undefined}
        className="underline decoration-edge underline-offset-4 hover:decoration-primary"
      >
        {activity.topic}
      </Link>
    </td>
    <td
      role="cell"
      className="tabular-nums max-sm:order-4 max-sm:text-sm max-sm:text-muted sm:py-3 sm:pr-5 sm:align-top sm:whitespace-nowrap"
    >
      {duration(activity.duration)}
    </td>
    <td
      role="cell"
      className="[overflow-wrap:anywhere] max-sm:order-5 max-sm:basis-full max-sm:text-sm sm:w-1/4 sm:py-3 sm:pr-5 sm:align-top"
    >
      <span aria-hidden="true" className="text-muted sm:hidden">
        Outcome/Score:{" "}
      </span>
      <bdi>{activity.score}</bdi>
    </td>
    <td
      role="cell"
      className="max-sm:order-2 max-sm:flex max-sm:basis-[calc(40%-1rem)] max-sm:justify-end sm:py-3 sm:text-center sm:align-top"
    >
      <Mood mood={activity.mood} />
    </td>
  </tr>
));

/** After "Show earlier activities", moves the focus to the first new row. */
function useFocusOnNewRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const first = before.current;
    before.current = count;
    if (count <= first || body.current?.dataset["wantsMore"] === undefined) return;
    delete body.current.dataset["wantsMore"];
    const row = body.current.rows[first];
    row?.focus();
  }, [count]);
  return body;
}
