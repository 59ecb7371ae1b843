import { type Section, sections } from "../paths";

/** What the tests expect of a section, for a child named Mia. */
export interface SectionFacts {
  /** In the navigation. */
  label: string;
  /** Whether it is in a phone's bottom bar, not behind "More". */
  inBar: boolean;
  heading: string;
  /** A sentence that a new child's page shows. */
  sentence: string;
  /** The file of its code, without the extension. */
  code: string;
  /** The paths of the contract that its page requests. */
  asks: readonly string[];
  /** One of its requests, and the messages while it loads and before its error. */
  load: { asks: RegExp; waiting: string; refused: string };
}

const COMPLETED = "/child/{childId}/activities/completed";
const UPCOMING = "/child/{childId}/activities/upcoming";
const TIMES = "/child/{childId}/times";

/** The type requires a row for each section. */
export const sectionFacts: Record<Section, SectionFacts> = {
  summary: {
    label: "Summary",
    inBar: true,
    heading: "Summary for Mia",
    sentence: "No summary data available.",
    code: "SummaryPage",
    asks: ["/child/{childId}/summary", "/child/{childId}/metrics", TIMES, "/attention"],
    load: {
      asks: /\/api\/.*\/summary$/u,
      waiting: "Loading summary for Mia...",
      refused: "Error loading summary: ",
    },
  },
  activities: {
    label: "Activities",
    inBar: true,
    heading: "Activities for Mia",
    sentence: "No completed activities yet.",
    code: "ActivitiesPage",
    asks: [COMPLETED, UPCOMING],
    load: {
      asks: /\/api\/.*\/completed/u,
      waiting: "Loading activities for Mia...",
      refused: "Error loading activities: ",
    },
  },
  metrics: {
    label: "Metrics",
    inBar: false,
    heading: "Metrics Page",
    sentence: "This is the Metrics route.",
    code: "MetricsPage",
    asks: ["/child/{childId}/metrics"],
    load: { asks: /\/api\/children$/u, waiting: "Loading children...", refused: "Error: " },
  },
  transcripts: {
    label: "Transcripts",
    inBar: true,
    heading: "Transcripts for Mia",
    sentence: "No sessions found.",
    code: "TranscriptsPage",
    asks: ["/sessions"],
    load: { asks: /\/api\/sessions\?/u, waiting: "Loading sessions...", refused: "" },
  },
  context: {
    label: "Context",
    inBar: false,
    heading: "Context for Mia",
    sentence: "What should the assistant know?",
    code: "ContextPage",
    asks: ["/child/{childId}/context"],
    load: {
      asks: /\/api\/.*\/context$/u,
      waiting: "Loading...",
      refused: "",
    },
  },
  "topic-blocklist": {
    label: "Topic Block List",
    inBar: true,
    heading: "Topic Block List for Mia",
    sentence: "No topics are currently blocked (besides mandatory safety filters).",
    code: "BlockedTopicsPage",
    asks: ["/child/{childId}/blocked_topics"],
    load: { asks: /\/blocked_topics$/u, waiting: "Loading blocked topics for Mia...", refused: "" },
  },
  settings: {
    label: "App Settings",
    inBar: false,
    heading: "App Settings",
    sentence: "Nothing yet",
    code: "pages",
    asks: [TIMES],
    load: { asks: /\/history/u, waiting: "Loading...", refused: "" },
  },
  subscription: {
    label: "Subscription",
    inBar: false,
    heading: "Subscription",
    sentence: "Porchlight is free. Choose which messages it sends you.",
    code: "NotificationsPage",
    asks: ["/subscription", "/subscription/push", "/auth/methods"],
    load: {
      asks: /\/api\/subscription$/u,
      waiting: "Loading...",
      refused: "",
    },
  },
};

/** All sections, in the order of the navigation. */
export const allSections = sections.map((section) => ({ section, ...sectionFacts[section] }));

/** Matches the URLs of requests to a path of the contract; for the metrics, only those for the default days. */
export function requestTo(path: string): RegExp {
  return new RegExp(`/api${path.replaceAll(/\{\w+\}/gu, "[^/?]+")}(\\?(?!from=).*)?$`, "u");
}
