import { useCallback } from "react";

import {
  type FeedbackAction,
  type FeedbackPanel,
  type FeedbackState,
  feedbackStateReducer,
  initialFeedback,
} from "./feedback";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

/** A child's feedback panel. Its state outlives the page, so no draft is lost and only one submission runs. */
export function useFeedbackPanel({ child_id: childId, name }: Child) {
  const { state, read, write } = usePageState(`feedback for ${childId}`, initialFeedback, isTyped);
  const { note } = useUnsavedWork();
  const dispatch = useCallback(
    (action: FeedbackAction) => {
      const next = feedbackStateReducer(read(), action);
      write(next);
      note(paths.activities(childId, "upcoming"), unsentSentence(name, next.panel));
    },
    [childId, name, read, write, note],
  );
  return { panel: state.panel, dispatch };
}

/** The message on other pages about feedback that was not sent; null if none failed. */
function unsentSentence(name: string, panel: FeedbackPanel): string | null {
  if (panel.kind !== "open" || panel.failure === null) return null;
  return `Your feedback for ${name} was not sent. ${panel.failure}`;
}

function isTyped({ panel }: FeedbackState): boolean {
  return panel.kind !== "closed" && panel.reason.trim() !== "";
}
