/** What a history entry keeps beside its address. Write it with `satisfies HistoryState`, read it with `historyState`. */
export interface HistoryState {
  /** On /login: the address that asked for the sign-in. */
  from?: string | null;
  /** The focus stays where it is; otherwise the new page's heading takes it. */
  keepFocus?: boolean;
  /** A conversation that was opened from the list of sessions, so that going back leads there. */
  openedFromList?: boolean;
  /** The id of the message at which a conversation opens. */
  message?: string | null;
  /** A page that failed was tried once more. */
  triedAgain?: boolean;
  /** The fragment of the link that opened the page, so that a reload doesn't lose it. */
  link?: string | null;
}

/** Reads the state of a history entry. Another version of the app may have written it. */
export function historyState(state: unknown) {
  const read = (name: keyof HistoryState): unknown =>
    typeof state === "object" && state !== null ? Reflect.get(state, name) : undefined;
  const [from, message, link] = [read("from"), read("message"), read("link")];
  return {
    /** Only an address of the app. */
    from: typeof from === "string" && from.startsWith("/") ? from : null,
    keepFocus: read("keepFocus") === true,
    openedFromList: read("openedFromList") === true,
    message: typeof message === "string" ? message : null,
    triedAgain: read("triedAgain") === true,
    link: typeof link === "string" && link.startsWith("#") ? link : null,
  };
}
