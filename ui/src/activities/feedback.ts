import type { components } from "../api/generated/schema";

export type Vote = components["schemas"]["Vote"];
export type Feedback = components["schemas"]["Feedback"];

/** The feedback panel of an upcoming activity. At most one is open, and at most one submission is running. */
export type FeedbackPanel =
  | { kind: "closed" }
  | { kind: "open"; activityId: string; vote: Vote; reason: string; failure: string | null }
  | { kind: "submitting"; activityId: string; vote: Vote; reason: string };

export type FeedbackAction =
  | { kind: "press"; activityId: string; vote: Vote }
  | { kind: "type"; reason: string }
  | { kind: "cancel" }
  | { kind: "submit" }
  | { kind: "submit succeeded" }
  | { kind: "submit failed"; sentence: string };

export const closed: FeedbackPanel = { kind: "closed" };

/** The draft of a closed panel. */
interface TypedReason {
  activityId: string;
  vote: Vote;
  reason: string;
}

/** The panel, and the drafts of closed ones, which reappear when they are reopened. */
export interface FeedbackState {
  panel: FeedbackPanel;
  typed: readonly TypedReason[];
}

export const initialFeedback: FeedbackState = { panel: closed, typed: [] };

export function feedbackStateReducer({ panel, typed }: FeedbackState, action: FeedbackAction): FeedbackState {
  const next = feedbackReducer(panel, action);
  const activityId = panel.kind === "closed" ? null : panel.activityId;
  const ofOthers = typed.filter((each) => each.activityId !== activityId);
  if (next.kind === "closed") {
    const isLost = panel.kind === "open" && panel.reason.trim() !== "";
    return { panel: next, typed: isLost ? [...ofOthers, typedIn(panel)] : ofOthers };
  }
  if (next.activityId === activityId) return { panel: next, typed: ofOthers };
  const kept = panel.kind === "open" && panel.reason.trim() !== "" ? [...ofOthers, typedIn(panel)] : ofOthers;
  const before = kept.find((each) => each.activityId === next.activityId && each.vote === next.vote);
  return { panel: before === undefined ? next : { ...next, reason: before.reason }, typed: kept };
}

function typedIn({ activityId, vote, reason }: Exclude<FeedbackPanel, { kind: "closed" }>): TypedReason {
  return { activityId, vote, reason };
}

/** The panel's next state (product specification, section 4). During a submission only its outcome changes anything. */
export function feedbackReducer(panel: FeedbackPanel, action: FeedbackAction): FeedbackPanel {
  switch (action.kind) {
    case "press": {
      if (panel.kind === "submitting") return panel;
      const { activityId, vote } = action;
      const same = panel.kind === "open" && panel.activityId === activityId && panel.vote === vote;
      return same ? closed : { kind: "open", activityId, vote, reason: "", failure: null };
    }
    case "type":
      return panel.kind === "open" ? { ...panel, reason: action.reason } : panel;
    case "cancel":
      return panel.kind === "open" ? closed : panel;
    case "submit": {
      if (panel.kind !== "open") return panel;
      const { activityId, vote, reason } = panel;
      return { kind: "submitting", activityId, vote, reason };
    }
    case "submit succeeded":
      return panel.kind === "submitting" ? closed : panel;
    case "submit failed":
      return panel.kind === "submitting" ? { ...panel, kind: "open", failure: action.sentence } : panel;
  }
}

/** The request's body: the reason trimmed, and left out if empty. */
export function feedbackBody(vote: Vote, reason: string): Feedback {
  const trimmed = reason.trim();
  return trimmed === "" ? { feedback: vote } : { feedback: vote, reason: trimmed };
}
