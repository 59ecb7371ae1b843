/** The present state of each part of the settings, in one line. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { relativeTime, timeIn } from "../format/dates";
import { joinNames } from "../format/names";
import { forHowLong } from "../format/retention";
import { seenAgo } from "../household/connections";
import { erasureLine } from "../household/requests";
import { attentionOf } from "../rules/receipts";
import { presentPause } from "../schedule/pause";
import { type Times, timesInOneLine } from "../schedule/schedule";

type Schemas = components["schemas"];

/** "Paused until 7:24 PM · Quiet hours 9:30 PM to 7:00 AM · 60 minutes a day" */
export function timesLine(times: Times, now: Date): string {
  const pause = presentPause(times, now);
  const line = timesInOneLine(times);
  if (pause === null) return line;
  const paused =
    pause.until === undefined
      ? t`Paused until resumed`
      : t`Paused until ${{ time: timeIn(times.time_zone, pause.until, now) }}`;
  return `${paused} · ${line}`;
}

/** "Kitchen · last seen 2 minutes ago", or the names of several, and how many of them refused or never confirmed the topics */
export function assistantsLine(
  child: Child,
  { assistants }: Schemas["Household"],
  connections: Schemas["Page_Connection"],
  receipts: Schemas["Receipts"],
  now: Date,
): string {
  const ofChild = assistants.filter(({ children }) => children.includes(child.child_id));
  const [first] = ofChild;
  if (first === undefined) return t`No assistant connected.`;
  const heardAtOf = (assistant: Schemas["OwnAssistant"]) =>
    connections.items.find(({ assistant_id: id }) => id === assistant.assistant_id)?.heard_at;
  const kinds = ofChild.map(
    (each) => attentionOf(each.name, heardAtOf(each) !== undefined, receipts.assistants)?.kind,
  );
  const refused = kinds.filter((kind) => kind === "refused").length;
  const unconfirmed = kinds.filter((kind) => kind !== undefined).length - refused;
  const attention = [
    ...(refused > 0 ? [plural(refused, { one: "# needs attention", other: "# need attention" })] : []),
    ...(unconfirmed > 0
      ? [
          plural(unconfirmed, {
            one: "# hasn't confirmed your topics",
            other: "# haven't confirmed your topics",
          }),
        ]
      : []),
  ];
  if (ofChild.length > 1) return [...attention, joinNames(ofChild.map(({ name }) => name))].join(" · ");
  const heardAt = heardAtOf(first);
  const seen = seenAgo(heardAt, now, (value) => relativeTime(value, now));
  return [...attention, first.name, seen].join(" · ");
}

/** When it is deleted, else for how long conversations are kept */
export function profileLine(
  child: Child,
  { days }: Schemas["Retention"],
  requests: Schemas["Requests"],
  now: Date,
): string {
  const erasure = requests.requests.find(
    ({ child_id: id, kind }) => kind === "deletion" && id === child.child_id,
  );
  if (erasure !== undefined) return erasureLine(erasure, child.name, now).join(" ");
  return t`Conversations are kept ${{ forHowLong: forHowLong(days) }}`;
}

/** "kim@example.com · 7 of 10 recovery codes left" */
export function youLine(
  { email }: Schemas["OwnAddress"],
  { left, created_at: madeAt }: Schemas["RecoveryCodes"],
): string {
  const codes = madeAt === undefined ? t`no recovery codes yet` : t`${left} of 10 recovery codes left`;
  return `${email} · ${codes}`;
}
