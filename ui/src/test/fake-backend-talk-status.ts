/** What the assistants of the fake backend are doing, derived from its sessions, times and receipts. */
import type { FakeRules } from "./fake-backend-rules";
import type { Family, FakeSession } from "./families";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];
type TalkStatus = Schemas["TalkStatus"];

const LIVE_MS = 2 * 60_000;

interface Heard {
  session: FakeSession;
  at: string;
  isLive: boolean;
}

function heard({ sessions }: Family, childId: number): readonly Heard[] {
  return sessions
    .filter((session) => session.child_id === childId)
    .flatMap((session) => {
      const at = session.messages
        .map(({ timestamp }) => timestamp)
        .sort()
        .at(-1);
      if (at === undefined) return [];
      return [{ session, at, isLive: !session.ended && Date.now() - Date.parse(at) < LIVE_MS }];
    })
    .sort((one, other) => other.at.localeCompare(one.at));
}

export function answerTalkStatus(family: Family, rules: FakeRules, childId: number): TalkStatus {
  const all = heard(family, childId);
  const live = all.filter(({ isLive }) => isLive);
  const talking = [...new Set(live.flatMap(({ session }) => session.assistant ?? []))];
  const { pause } = rules.times;
  const isPaused = pause !== undefined && (pause.until === undefined || Date.parse(pause.until) > Date.now());
  const [last] = all;
  const [running] = live;
  const ends = live.map(({ at }) => Date.parse(at) + LIVE_MS);
  if (isPaused && pause.until !== undefined) ends.push(Date.parse(pause.until));
  return {
    state: stateOf(rules, isPaused, live.length > 0),
    talking,
    unconfirmed: isPaused ? rules.unconfirmed : [],
    ...(running !== undefined && { session_id: running.session.session_id }),
    ...(rules.talk.why !== undefined && { why: rules.talk.why }),
    ...(isPaused ? pause : rules.talk.why !== undefined && { until: rules.talk.until }),
    ...(isPaused && { pause, paused_by: rules.pausedBy }),
    ...(last !== undefined && {
      last_heard: {
        last_message_time: last.at,
        session_id: last.session.session_id,
        ...(last.session.assistant !== undefined && { assistant: last.session.assistant }),
      },
    }),
    ...(ends.length > 0 && { changes_in: (Math.min(...ends) - Date.now()) / 1000 }),
  };
}

function stateOf(rules: FakeRules, isPaused: boolean, isLive: boolean): TalkStatus["state"] {
  if (isPaused)
    return rules.talksOn && isLive ? "still_talking" : rules.unconfirmed.length > 0 ? "pausing" : "paused";
  if (isLive) return "talking";
  if (rules.receipts.assistants.length === 0) return "no_assistant";
  switch (rules.talk.why) {
    case "quiet_hours":
      return "quiet_hours";
    case "time_used_up":
      return "time_used_up";
    case "paused":
    case undefined:
      return "not_talking";
  }
}

export function answerChildTalk(family: Family): { items: Schemas["ChildTalk"][] } {
  const items = family.children.map(({ child_id: childId }) => {
    const all = heard(family, childId);
    return {
      child_id: childId,
      talking: all.some(({ isLive }) => isLive),
      ...(all[0] !== undefined && { last_message_time: all[0].at }),
    };
  });
  return { items };
}
