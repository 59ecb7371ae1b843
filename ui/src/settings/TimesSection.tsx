import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useState } from "react";

import { MinutesForm } from "./MinutesForm";
import { QuietHoursList } from "./QuietHoursList";
import { type Talk, minutesUsed, talkSentences, untilChange } from "./talk";
import { TimeZoneForm, WrongZone } from "./TimeZoneForm";
import { useGetRules } from "../api/generated/client/rules/rules";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { Pause } from "../schedule/Pause";
import { presentPause } from "../schedule/pause";
import { type TimesAction, useTimes } from "../schedule/queries";
import { SavedNote } from "../schedule/SavedNote";
import { SaveLine } from "../schedule/SaveLine";
import type { Times, TimesChange } from "../schedule/schedule";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { sharedWith } from "../rules/shared-with";

export function TimesSection({ child }: { child: Child }) {
  const { child_id: childId, name } = child;
  const { query, editing, saving, dispatch: send } = useTimes(child);
  const limit = useId();
  const zone = useId();
  const [last, setLast] = useState<TimesChange["kind"] | null>(null);
  const dispatch = (action: TimesAction) => {
    if (action.kind === "change") setLast(action.change.kind);
    send(action);
  };
  const saved = (...kinds: readonly TimesChange["kind"][]) => (
    <SavedNote shown={editing.status.kind === "saved" && last !== null && kinds.includes(last)} />
  );
  const rules = useGetRules(childId, {
    // Changes by the clock cause no event.
    query: { refetchInterval: ({ state }) => untilChange(state.data?.data.talk.until, new Date()) },
  });
  const { talk, seconds_used: used } = rules.data?.data ?? {};
  return (
    <Section
      heading={
        <Trans>
          When <bdi>{name}</bdi> may talk with the assistant
        </Trans>
      }
      className="flex flex-col gap-4"
    >
      <QueryView query={query} loading={{ skeleton: timesSkeleton }}>
        {({ times, guardians }) => (
          <>
            <div className="flex max-w-[68ch] flex-col gap-2">
              <p className="min-h-6">
                {talk !== undefined &&
                  isCurrent(talk, times) &&
                  talkSentences(isolated(name), talk, times.time_zone, new Date())}
              </p>
              <p className="text-sm text-muted">
                <Trans>
                  In a pause, in quiet hours and after the daily limit, the assistant is told to say a kind
                  goodbye and to stay silent.
                </Trans>{" "}
                {sharedWith(guardians)}
              </p>
            </div>
            <SaveLine
              status={editing.status}
              dispatch={dispatch}
              className="pointer-events-none sticky top-[calc(4.5rem+env(safe-area-inset-top))] z-10 -my-3"
            />
            <WrongZone
              name={name}
              timeZone={times.time_zone}
              saving={saving}
              onChange={(timeZone) =>
                dispatch({ kind: "change", change: { kind: "set time zone", timeZone } })
              }
            />
            <Group heading={t`Pause`}>
              <Pause times={times} saving={saving} saved={saved("pause", "end pause")} dispatch={dispatch} />
            </Group>
            <Group heading={t`Quiet hours`}>
              <QuietHoursList
                childId={childId}
                quietHours={times.quiet_hours}
                saving={saving}
                saved={saved("add quiet hours", "change quiet hours", "remove quiet hours")}
                dispatch={dispatch}
              />
            </Group>
            <Group heading={t`Daily limit`} id={limit}>
              <MinutesForm
                childId={childId}
                heading={limit}
                minutes={times.minutes_a_day ?? null}
                used={used === undefined ? "" : minutesUsed(used)}
                saving={saving}
                saved={saved("set minutes")}
                dispatch={dispatch}
              />
            </Group>
            <Group heading={t`Time zone`} id={zone}>
              <TimeZoneForm
                heading={zone}
                timeZone={times.time_zone}
                saving={saving}
                saved={saved("set time zone")}
                dispatch={dispatch}
              />
            </Group>
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** Whether the server's status matches the edited times, which may have a new pause that was not fetched yet. */
function isCurrent({ why }: Talk, times: Times): boolean {
  return (why === "paused") === (presentPause(times, new Date()) !== null);
}

function Group({ heading, id, children }: { heading: string; id?: string; children: ReactNode }) {
  return (
    <Section
      heading={heading}
      id={id}
      level={3}
      className="flex max-w-[68ch] flex-col gap-3 border-t border-line pt-4"
    >
      {children}
    </Section>
  );
}

const timesSkeleton = (
  <Skeleton
    shapes={["h-18 max-w-[68ch]", "h-24 max-w-[68ch]", "h-36 max-w-[68ch]", "h-24 max-w-[68ch]"]}
    className="flex-col gap-6"
  />
);
