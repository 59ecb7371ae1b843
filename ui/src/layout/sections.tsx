import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
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
  label: MessageDescriptor;
  /** The label in a phone's bottom bar. Sections without one are behind "More". */
  barLabel?: MessageDescriptor;
  Icon: LucideIcon;
}

/** The sections of a child's pages, in the order of the navigation. */
export const sectionLinks: readonly SectionLink[] = [
  {
    section: "summary",
    label: msg`Summary`,
    barLabel: msg({ message: "Summary", context: "short, below an icon" }),
    Icon: FileTextIcon,
  },
  {
    section: "activities",
    label: msg`Activities`,
    barLabel: msg({ message: "Activities", context: "short, below an icon" }),
    Icon: ListChecksIcon,
  },
  { section: "metrics", label: msg`Metrics`, Icon: ChartColumnIcon },
  {
    section: "transcripts",
    label: msg`Transcripts`,
    barLabel: msg({ message: "Transcripts", context: "short, below an icon" }),
    Icon: MessagesSquareIcon,
  },
  { section: "context", label: msg`Context`, Icon: CompassIcon },
  {
    section: "topic-blocklist",
    label: msg`Topic Block List`,
    barLabel: msg({ message: "Block List", context: "short, below an icon" }),
    Icon: BanIcon,
  },
  { section: "settings", label: msg`App Settings`, Icon: SlidersHorizontalIcon },
  { section: "subscription", label: msg`Subscription`, Icon: MailIcon },
];
