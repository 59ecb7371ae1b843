/** The state of a history entry. Write it with `satisfies HistoryState`, read it with `historyState`. */
export interface HistoryState {
  /** On /login: the address that asked for the sign-in. */
  from?: string | null;
  /** Keeps the focus; otherwise the new page's heading is focused. */
  keepFocus?: boolean;
  /** The conversation was opened from the list of sessions, so that going back returns to it. */
  openedFromList?: boolean;
  /** The id of the alert at which the page of alerts opens. */
  alert?: number | null;
  /** The id of the message at which a conversation opens. */
  message?: string | null;
  /** What is marked in that message: start and end in UTF-16 units. */
  ranges?: readonly (readonly number[])[];
  /** Opens a conversation at its end. */
  atEnd?: boolean;
  /** Whether a failed page was retried. */
  triedAgain?: boolean;
  /** The fragment of the link that opened the page, for reloads. */
  link?: string | null;
}

/** Reads the state of a history entry. Another version of the app may have written it. */
export function historyState(state: unknown) {
  const read = (name: keyof HistoryState): unknown =>
    typeof state === "object" && state !== null ? Reflect.get(state, name) : undefined;
  const [from, message, link, ranges] = [read("from"), read("message"), read("link"), read("ranges")];
  const alert = read("alert");
  return {
    // Only an address of the app.
    from: typeof from === "string" && from.startsWith("/") ? from : null,
    keepFocus: read("keepFocus") === true,
    openedFromList: read("openedFromList") === true,
    alert: typeof alert === "number" ? alert : null,
    message: typeof message === "string" ? message : null,
    ranges: Array.isArray(ranges) ? ranges.filter(isRange) : [],
    atEnd: read("atEnd") === true,
    triedAgain: read("triedAgain") === true,
    link: typeof link === "string" && link.startsWith("#") ? link : null,
  };
}

function isRange(range: unknown): range is readonly number[] {
  return (
    Array.isArray(range) && range.length === 2 && range.every((at) => Number.isSafeInteger(at) && at >= 0)
  );
}
