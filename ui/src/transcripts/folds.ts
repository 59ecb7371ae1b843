import type { ListedSession } from "./queries";
import { sameDay } from "../format/dates";

/** A row of the list: a session, or the heading of a run of short requests. */
export type ListRow =
  | { kind: "session"; id: string; session: ListedSession }
  | { kind: "fold"; id: string; sessions: readonly ListedSession[]; isOpen: boolean };

/** A row, with its day if it is the first of it in the list. */
export type DatedRow = ListRow & { startsDay?: string };

/** The day is the one that is shown: in the viewer's time zone. */
export function withDays(rows: readonly ListRow[]): DatedRow[] {
  let last: string | undefined;
  return rows.map((row) => {
    const date = row.kind === "fold" ? row.sessions[0]?.date : row.session.date;
    if (date === undefined || date === last) return row;
    last = date;
    return { ...row, startsDay: date };
  });
}

/** Fewer are listed one by one. */
const FEWEST = 3;

/**
 * The rows of the list. Three or more short requests of one day in a row are folded, unless `opened` has the run or it
 * contains the chosen session. A run is named by its oldest session, because newer ones are added to it.
 */
export function foldedRows(
  sessions: readonly ListedSession[],
  opened: ReadonlySet<string>,
  chosenId: number | undefined,
): ListRow[] {
  return runsOf(sessions).flatMap((run) => {
    const rows = run.map((session): ListRow => ({ kind: "session", id: String(session.id), session }));
    const oldest = run.at(-1);
    if (oldest === undefined || run.length < FEWEST) return rows;
    const id = `short ${oldest.id}`;
    const isOpen = opened.has(id) || run.some((session) => session.id === chosenId);
    const heading: ListRow = { kind: "fold", id, sessions: run, isOpen };
    return isOpen ? [heading, ...rows] : [heading];
  });
}

/** Sessions that can be folded together, all others alone. */
function runsOf(sessions: readonly ListedSession[]): ListedSession[][] {
  const runs: ListedSession[][] = [];
  for (const session of sessions) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (before?.isShort === true && session.isShort && sameDay(before.began, session.began)) {
      last?.push(session);
    } else {
      runs.push([session]);
    }
  }
  return runs;
}
