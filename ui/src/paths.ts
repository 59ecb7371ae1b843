export const sections = [
  "summary",
  "activities",
  "metrics",
  "transcripts",
  "context",
  "topic-blocklist",
  "settings",
  "subscription",
] as const;

export type Section = (typeof sections)[number];

/** The pages below App Settings. */
export const settingsPages = [
  "settings/times",
  "settings/assistants",
  "settings/people",
  "settings/ai-reader",
  "settings/profile",
] as const;

export type SectionPage = Section | (typeof settingsPages)[number];

/** Pages that the icon's menu leads to, as `?page=`. The manifest names them. */
const shortcuts = new Set(["alerts", "transcripts"]);

export const paths = {
  index: () => "/",
  login: () => "/login",
  finishSignIn: () => "/finish-sign-in",
  welcome: () => "/welcome",
  invitation: () => "/invitation",
  address: () => "/address",
  pair: () => "/pair",
  you: () => "/you",
  child: (childId: number | string) => `/child/${childId}`,
  section: (childId: number | string, page: SectionPage) => `/child/${childId}/${page}`,
  /** Where an assistant is connected: what the child talks to, and one of the questions about it. */
  connect: (childId: number | string, ...parts: readonly string[]) =>
    ["/child", childId, "settings/assistants/connect", ...parts].join("/"),
  activities: (childId: number | string, type: "completed" | "upcoming") =>
    `/child/${childId}/activities/${type}`,
  transcripts: (childId: number | string, sessionId?: number) =>
    `/child/${childId}/transcripts${sessionId === undefined ? "" : `?session=${sessionId}`}`,
  alerts: (childId: number | string) => `/child/${childId}/alerts`,
  phrases: (childId: number | string) => `/child/${childId}/alerts/phrases`,
  forChild: (childId: number | string) => `/child/${childId}/for-child`,
  tries: (childId: number | string) => `/child/${childId}/topic-blocklist/try`,
  aTry: (childId: number | string, tryId: number) => `/child/${childId}/topic-blocklist/try/${tryId}`,
  deleted: (childId: number | string) => `/child/${childId}/transcripts/deleted`,
} as const;

/** Where the start page leads: to a shortcut's page of the child, or to the child's summary. */
export function startPage(search: string, childId: number): string {
  const page = new URLSearchParams(search).get("page") ?? "";
  return `/child/${childId}/${shortcuts.has(page) ? page : "summary"}`;
}

/** The same page for another child: only the `/child/{id}` segment changes. On other pages, the child's summary. */
export function pathForChild(pathname: string, childId: number): string {
  return /^\/child\/[^/]+/u.test(pathname)
    ? pathname.replace(/^\/child\/[^/]+/u, paths.child(childId))
    : paths.section(childId, "summary");
}

/** The child id in a path, as text; null if it has none. */
export function childIdIn(path: string): string | null {
  return /^\/child\/([^/?#]+)/u.exec(path)?.[1] ?? null;
}

/** Parses an id from an address; null unless it is in canonical form. */
export function idIn(text: string | null | undefined): number | null {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 && String(id) === text ? id : null;
}
