import type { ComponentType } from "react";

import type { Section } from "../paths";
import {
  ActivitiesIcon,
  BlockIcon,
  ContextIcon,
  type IconProps,
  MetricsIcon,
  SettingsIcon,
  SubscriptionIcon,
  SummaryIcon,
  TranscriptsIcon,
} from "../ui/icons";

interface SectionLink {
  section: Section;
  label: string;
  /** What fits under a thumb. */
  shortLabel: string;
  Icon: ComponentType<IconProps>;
  /** Used daily, so it stands in the bar of a phone; the others are behind "More". */
  daily: boolean;
}

/** The sections of a child's pages, in the order of the navigation. */
export const sectionLinks: readonly SectionLink[] = [
  { section: "summary", label: "Summary", shortLabel: "Summary", Icon: SummaryIcon, daily: true },
  { section: "activities", label: "Activities", shortLabel: "Activities", Icon: ActivitiesIcon, daily: true },
  { section: "metrics", label: "Metrics", shortLabel: "Metrics", Icon: MetricsIcon, daily: false },
  {
    section: "transcripts",
    label: "Transcripts",
    shortLabel: "Transcripts",
    Icon: TranscriptsIcon,
    daily: true,
  },
  { section: "context", label: "Context", shortLabel: "Context", Icon: ContextIcon, daily: false },
  {
    section: "topic-blocklist",
    label: "Topic Block List",
    shortLabel: "Block List",
    Icon: BlockIcon,
    daily: true,
  },
  { section: "settings", label: "App Settings", shortLabel: "Settings", Icon: SettingsIcon, daily: false },
  {
    section: "subscription",
    label: "Subscription",
    shortLabel: "Subscription",
    Icon: SubscriptionIcon,
    daily: false,
  },
];
