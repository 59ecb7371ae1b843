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

/** What was entered in a panel that has closed. */
interface Draft {
  activityId: string;
  vote: Vote;
  /** Restored when the panel is reopened. */
  reason: string;
  /** Another activity's panel replaced it. False if the guardian closed it. */
  isUnsent: boolean;
}

/** The panel, and the drafts of closed ones. */
export interface FeedbackState {
  panel: FeedbackPanel;
  drafts: readonly Draft[];
}

export const initialFeedback: FeedbackState = { panel: closed, drafts: [] };

export type FeedbackStateAction = FeedbackAction | { kind: "list"; activityIds: readonly string[] };

/** "list" discards what was entered for activities that are no longer proposed. */
export function feedbackStateReducer(state: FeedbackState, action: FeedbackStateAction): FeedbackState {
  const { panel, drafts } = state;
  if (action.kind === "list") {
    const isListed = ({ activityId }: { activityId: string }) => action.activityIds.includes(activityId);
    const isStale = panel.kind === "open" && !isListed(panel);
    if (!isStale && drafts.every(isListed)) return state;
    return { panel: isStale ? closed : panel, drafts: drafts.filter(isListed) };
  }
  const next = feedbackReducer(panel, action);
  const activityId = panel.kind === "closed" ? null : panel.activityId;
  const ofOthers = drafts.filter((each) => each.activityId !== activityId);
  if (next.kind === "closed") {
    const isKept = panel.kind === "open" && panel.reason.trim() !== "";
    return { panel: next, drafts: isKept ? [...ofOthers, draftOf(panel, false)] : ofOthers };
  }
  if (next.activityId === activityId) return { panel: next, drafts: ofOthers };
  const kept = panel.kind === "open" ? [...ofOthers, draftOf(panel, true)] : ofOthers;
  const before = kept.find((each) => each.activityId === next.activityId && each.vote === next.vote);
  return { panel: before === undefined ? next : { ...next, reason: before.reason }, drafts: kept };
}

function draftOf(
  { activityId, vote, reason }: Exclude<FeedbackPanel, { kind: "closed" }>,
  isUnsent: boolean,
): Draft {
  return { activityId, vote, reason, isUnsent };
}

/** The vote of an activity whose panel was replaced by another one's before it was submitted; null if there is none. */
export function unsentVote({ panel, drafts }: FeedbackState, activityId: string): Vote | null {
  if (panel.kind !== "closed" && panel.activityId === activityId) return null;
  return drafts.find((each) => each.activityId === activityId && each.isUnsent)?.vote ?? null;
}

type FailedPanel = Extract<FeedbackPanel, { kind: "open" }> & { failure: string };

export function hasFailed(panel: FeedbackPanel): panel is FailedPanel {
  return panel.kind === "open" && panel.failure !== null;
}

/** Whether a vote waits for its submission. */
export function holdsUnsent({ panel, drafts }: FeedbackState): boolean {
  return panel.kind !== "closed" || drafts.some((each) => each.isUnsent);
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
