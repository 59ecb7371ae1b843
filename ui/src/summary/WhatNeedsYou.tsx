import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronRightIcon, CircleAlertIcon, TriangleAlertIcon } from "lucide-react";
import { Link } from "react-router";

import { moreSentence, needSentence, placeOf, sightSentence } from "./what-needs-you";
import { AlertDay } from "../alerts/AlertDay";
import { urgentClass } from "../alerts/Urgent";
import { errorMessage } from "../api/problem";
import { useStayingFailure } from "../api/staying-failure";
import { unreadableRows } from "../api/unreadable-rows";
import { type ChildAttention, pleaseLookNow, ringingWords, useAttention } from "../children/attention";
import { type Child, useChildren } from "../children/children";
import { capitalized } from "../format/dates";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { ErrorState } from "../ui/ErrorState";
import { useToday } from "../ui/now";
import { QuietLine } from "../ui/QuietLine";
import { labelled } from "../format/labelled";
import { isolated } from "../format/isolated";

/** Most sentences have this height, so that the page seldom moves when another one comes. */
const heightClass = "min-h-26 md:min-h-19.5 wide:min-h-26";

/** What needs the guardian about the child, how far Porchlight sees, and the other children about whom something rings. */
export function WhatNeedsYou({ child: { child_id: childId, name: childName } }: { child: Child }) {
  const query = useAttention();
  const { failure, retry } = useStayingFailure(query);
  if (query.data === undefined) {
    return (
      failure !== null && (
        <div className={heightClass}>
          <ErrorState sentence={errorMessage(failure)} onRetry={retry} />
        </div>
      )
    );
  }
  const all = query.data.data.items;
  const own = all.find(({ child_id: id }) => id === childId);
  return (
    <section
      aria-label={t`What needs you`}
      className="flex flex-col gap-2 [overflow-wrap:anywhere] print:hidden"
    >
      {own === undefined ? (
        <Link to={paths.alerts(childId)} className={`${cardClass} ${plainClass}`}>
          <p className="min-w-0 flex-1">
            <Trans>
              What needs you could not be read. Look at <bdi>{childName}</bdi>&apos;s alerts.
            </Trans>
          </p>
          <ChevronRightIcon className="text-muted" />
        </Link>
      ) : (
        <>
          <Card attention={own} childName={childName} />
          <p className="px-3 text-sm text-muted">{sightSentence(own.sees)}</p>
        </>
      )}
      <QuietLine sentence={unreadableSentence(unreadableRows([query.data]), "record")} className="px-3" />
      <Others all={all} childId={childId} />
    </section>
  );
}

/** 18 px, so that four lines of a phone hold the longest sentence. */
const cardClass = `${heightClass} flex items-center gap-2 rounded-surface border p-3 text-[1.125rem]/6.5 -outline-offset-2`;

const plainClass = "border-line bg-surface hover:bg-quiet";
const lampClass = "border-transparent bg-lamp-glow font-bold";

/** Only what rings has a colour. What else waits is told from what doesn't by its weight and an icon. */
function classOf(attention: ChildAttention): string {
  const { state } = attention;
  if (state === "urgent") return urgentClass;
  if (state === "alert") return lampClass;
  return waitsSilently(attention) ? `${plainClass} font-bold` : plainClass;
}

/** Whether what waits doesn't ring. */
function waitsSilently({ state }: ChildAttention): boolean {
  return !["urgent", "alert", "nothing_open", "nothing_heard", "no_assistant"].includes(state);
}

function Card({ attention, childName }: { attention: ChildAttention; childName: string }) {
  const now = useToday();
  const { state, alert } = attention;
  const place = placeOf(attention);
  const more = moreSentence(attention);
  return (
    <Link to={place.to} state={place.state} className={`${cardClass} ${classOf(attention)}`}>
      {waitsSilently(attention) && <CircleAlertIcon />}
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        {state === "alert" && alert !== undefined && (
          <p className="text-sm font-normal text-muted">
            <AlertDay at={alert.at} />
          </p>
        )}
        <p>
          {state === "urgent" && (
            <>
              <strong className="text-danger">
                <TriangleAlertIcon className="me-1.5 inline size-5 align-text-bottom" />
                {capitalized(pleaseLookNow())}.
              </strong>{" "}
            </>
          )}
          {needSentence(attention, childName, now)}
        </p>
        {more !== null && <p className="text-sm font-normal text-muted">{more}</p>}
      </div>
      <ChevronRightIcon className="text-muted" />
    </Link>
  );
}

/** The other children about whom something rings. */
function Others({ all, childId }: { all: readonly ChildAttention[]; childId: number }) {
  const { list } = useChildren();
  const children = list.kind === "loaded" ? list.children : [];
  const ringing = children.flatMap(({ child_id: id, name }) => {
    const attention = all.find(({ child_id: of }) => of === id);
    const words = attention === undefined || id === childId ? null : ringingWords(attention);
    return attention === undefined || words === null ? [] : [{ id, name, words, attention }];
  });
  if (ringing.length === 0) return null;
  return (
    <ul aria-label={t`Other children`} className="flex flex-wrap gap-2">
      {ringing.map(({ id, name, words, attention }) => (
        <li key={id} className="min-w-0">
          <Link
            to={paths.section(id, "summary")}
            className={`flex min-h-11 items-center rounded-control border px-3 py-1.5 font-bold ${classOf(attention)}`}
          >
            <span>{labelled(isolated(name), words)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
