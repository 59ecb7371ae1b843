/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on a phone the rows are laid out as cards, and a browser then no longer treats the table as one */
import { i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { memo } from "react";
import { Link } from "react-router";

import { Mood } from "./Mood";
import { type CompletedActivity, errorTexts, type useCompletedActivities } from "./queries";
import { errorMessage } from "../api/problem";
import { activityDate } from "../format/dates";
import { duration } from "../format/durations";
import { paths } from "../paths";
import { useFocusOnEarlier } from "../ui/focus";
import { ShowEarlier } from "../ui/ShowEarlier";

interface CompletedActivitiesProps {
  childId: number;
  name: string;
  activities: readonly CompletedActivity[];
  query: ReturnType<typeof useCompletedActivities>;
}

const columns = {
  date: msg`Date`,
  topic: msg`Topic`,
  duration: msg`Duration`,
  score: msg`Outcome/Score`,
  mood: msg`Mood`,
};

/** The completed activities, newest first, each with a link to its transcript. Where they are too wide for a table, each row is a card. */
export function CompletedActivities({ childId, name, activities, query }: CompletedActivitiesProps) {
  const { list, showEarlier } = useFocusOnEarlier<HTMLTableSectionElement>(activities.length, query);
  return (
    <div className="@container flex flex-col items-start gap-5">
      <table role="table" className="w-full text-left page-rtl:text-right @max-xl:block">
        <caption className="pb-3 text-start text-sm text-muted [overflow-wrap:anywhere] @max-xl:block">
          <Trans>A list of {name}&apos;s completed activities.</Trans>
        </caption>
        <thead role="rowgroup" className="@max-xl:sr-only">
          <tr role="row" className="border-b border-line text-sm text-muted">
            {Object.entries(columns).map(([column, label]) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={`py-2 font-bold ${column === "mood" ? "w-24 text-center" : "pe-5 whitespace-nowrap first:ps-3"}`}
              >
                {i18n._(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list} role="rowgroup" className="@max-xl:flex @max-xl:flex-col">
          {activities.map((activity) => (
            <Row key={activity.session_id} childId={childId} activity={activity} />
          ))}
        </tbody>
      </table>
      <ShowEarlier
        query={query}
        error={query.isFetchNextPageError ? errorMessage(query.error, errorTexts.load) : null}
        onShow={() => void showEarlier()}
      />
    </div>
  );
}

/**
 * On a card the cells are reordered: topic and mood first, then, on a new line, date and duration, then the outcome. The
 * topic's link covers the whole row; the transform makes the row its containing block in browsers that ignore a row's position.
 */
const Row = memo(({ childId, activity }: { childId: number; activity: CompletedActivity }) => (
  <tr
    role="row"
    tabIndex={-1}
    className="relative [transform:translate(0)] border-b border-line hover:bg-quiet @max-xl:flex @max-xl:flex-wrap @max-xl:items-start @max-xl:gap-x-4 @max-xl:gap-y-0.5 @max-xl:py-3.5 @max-xl:after:order-2 @max-xl:after:basis-full @xl:*:py-3 @xl:*:pe-5 @xl:*:align-top @xl:*:first:ps-3 @xl:*:last:pe-0 @xl:*:last:text-center"
  >
    <td role="cell" className="text-muted tabular-nums @max-xl:order-3 @max-xl:text-sm @xl:whitespace-nowrap">
      {activityDate(activity.date)}
    </td>
    <td
      role="cell"
      dir="auto"
      className="text-left page-rtl:text-right font-bold [overflow-wrap:anywhere] @max-xl:order-1 @max-xl:min-w-[min(10rem,100%)] @max-xl:flex-1 @max-xl:basis-3/5 @xl:w-2/5"
    >
      <Link
        to={paths.transcripts(childId, activity.session_id)}
        className={`underline decoration-edge underline-offset-4 after:absolute after:inset-0 after:rounded-control after:-outline-offset-2 hover:decoration-primary focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-lamp ${activity.topic === null ? "font-normal text-muted" : ""}`}
      >
        {activity.topic ?? t`Conversation without a topic`}
      </Link>
    </td>
    <td
      role="cell"
      className="tabular-nums @max-xl:order-4 @max-xl:text-sm @max-xl:text-muted @xl:whitespace-nowrap"
    >
      {duration(activity.duration)}
    </td>
    <td
      role="cell"
      className="[overflow-wrap:anywhere] @max-xl:order-5 @max-xl:basis-full @max-xl:text-sm @xl:w-1/4"
    >
      <span aria-hidden="true" className="text-muted @xl:hidden">
        <Trans>Outcome/Score:</Trans>{" "}
      </span>
      <bdi>{activity.score}</bdi>
    </td>
    <td role="cell" className="@max-xl:order-2 @max-xl:max-w-full">
      <Mood mood={activity.mood} />
    </td>
  </tr>
));
