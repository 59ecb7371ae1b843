import type { components } from "../api/generated/schema";

export type Vote = components["schemas"]["Vote"];
export type Feedback = components["schemas"]["Feedback"];

/** What is being said about which upcoming activity. At most one panel is open, and one submission under way. */
export type FeedbackPanel =
  | { is: "closed" }
  | { is: "open"; activityId: string; vote: Vote; reason: string; failure: string | null }
  | { is: "submitting"; activityId: string; vote: Vote; reason: string };

export type FeedbackEvent =
  | { did: "press"; activityId: string; vote: Vote }
  | { did: "type"; reason: string }
  | { did: "cancel" }
  | { did: "submit" }
  | { did: "succeed" }
  | { did: "fail"; sentence: string };

export const closed: FeedbackPanel = { is: "closed" };

/** The life of the feedback panel (product specification, section 4). While it submits, only the outcome counts. */
export function nextPanel(panel: FeedbackPanel, event: FeedbackEvent): FeedbackPanel {
  switch (event.did) {
    case "press": {
      if (panel.is === "submitting") return panel;
      const { activityId, vote } = event;
      const same = panel.is === "open" && panel.activityId === activityId && panel.vote === vote;
      return same ? closed : { is: "open", activityId, vote, reason: "", failure: null };
    }
    case "type":
      return panel.is === "open" ? { ...panel, reason: event.reason } : panel;
    case "cancel":
      return panel.is === "open" ? closed : panel;
    case "submit": {
      if (panel.is !== "open") return panel;
      const { activityId, vote, reason } = panel;
      return { is: "submitting", activityId, vote, reason };
    }
    case "succeed":
      return panel.is === "submitting" ? closed : panel;
    case "fail":
      return panel.is === "submitting" ? { ...panel, is: "open", failure: event.sentence } : panel;
  }
}

/** What is sent: the reason trimmed, and left out if nothing remains. */
export function feedbackOf(vote: Vote, reason: string): Feedback {
  const trimmed = reason.trim();
  return trimmed === "" ? { feedback: vote } : { feedback: vote, reason: trimmed };
}
