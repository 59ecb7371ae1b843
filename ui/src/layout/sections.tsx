import {
  BanIcon,
  ChartColumnIcon,
  CompassIcon,
  CreditCardIcon,
  FileTextIcon,
  ListChecksIcon,
  MessagesSquareIcon,
  SlidersHorizontalIcon,
  type LucideIcon,
} from "lucide-react";

import type { Section } from "../paths";

interface SectionLink {
  section: Section;
  label: string;
  /** For the bottom bar of a phone. */
  shortLabel: string;
  Icon: LucideIcon;
  /** Whether it is in the bottom bar of a phone; the others are behind "More". */
  daily: boolean;
}

/** The sections of a child's pages, in the order of the navigation. */
export const sectionLinks: readonly SectionLink[] = [
  { section: "summary", label: "Summary", shortLabel: "Summary", Icon: FileTextIcon, daily: true },
  { section: "activities", label: "Activities", shortLabel: "Activities", Icon: ListChecksIcon, daily: true },
  { section: "metrics", label: "Metrics", shortLabel: "Metrics", Icon: ChartColumnIcon, daily: false },
  {
    section: "transcripts",
    label: "Transcripts",
    shortLabel: "Transcripts",
    Icon: MessagesSquareIcon,
    daily: true,
  },
  { section: "context", label: "Context", shortLabel: "Context", Icon: CompassIcon, daily: false },
  {
    section: "topic-blocklist",
    label: "Topic Block List",
    shortLabel: "Block List",
    Icon: BanIcon,
    daily: true,
  },
  {
    section: "settings",
    label: "App Settings",
    shortLabel: "Settings",
    Icon: SlidersHorizontalIcon,
    daily: false,
  },
  {
    section: "subscription",
    label: "Subscription",
    shortLabel: "Subscription",
    Icon: CreditCardIcon,
    daily: false,
  },
];
