import {
  BanIcon,
  ChartColumnIcon,
  CompassIcon,
  FileTextIcon,
  ListChecksIcon,
  MailIcon,
  MessagesSquareIcon,
  SlidersHorizontalIcon,
  type LucideIcon,
} from "lucide-react";

import { lazy } from "react";

import type { Section } from "../paths";

// Code-split, so that the frame shows sooner.
export const UnseenCount = lazy(async () => ({
  default: (await import("../alerts/UnseenCount")).UnseenCount,
}));

interface SectionLink {
  section: Section;
  label: string;
  /** The label in a phone's bottom bar. Sections without one are behind "More". */
  barLabel?: string;
  Icon: LucideIcon;
}

/** The sections of a child's pages, in the order of the navigation. */
export const sectionLinks: readonly SectionLink[] = [
  { section: "summary", label: "Summary", barLabel: "Summary", Icon: FileTextIcon },
  { section: "activities", label: "Activities", barLabel: "Activities", Icon: ListChecksIcon },
  { section: "metrics", label: "Metrics", Icon: ChartColumnIcon },
  { section: "transcripts", label: "Transcripts", barLabel: "Transcripts", Icon: MessagesSquareIcon },
  { section: "context", label: "Context", Icon: CompassIcon },
  { section: "topic-blocklist", label: "Topic Block List", barLabel: "Block List", Icon: BanIcon },
  { section: "settings", label: "App Settings", Icon: SlidersHorizontalIcon },
  { section: "subscription", label: "Subscription", Icon: MailIcon },
];
