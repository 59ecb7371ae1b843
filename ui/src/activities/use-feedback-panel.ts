import { useCallback } from "react";

import {
  type FeedbackState,
  type FeedbackStateAction,
  feedbackStateReducer,
  hasFailed,
  initialFeedback,
  holdsUnsent,
} from "./feedback";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { lastChangeUnsaved } from "../rules/saved-edit";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

/** A child's feedback panel. Its state outlives the page, so no draft is lost and only one submission runs. */
export function useFeedbackPanel({ child_id: childId, name }: Child) {
  const { state, read, write } = usePageState(`feedback for ${childId}`, initialFeedback, holdsUnsent);
  const { note } = useUnsavedWork();
  const dispatch = useCallback(
    (action: FeedbackStateAction) => {
      const next = feedbackStateReducer(read(), action);
      write(next);
      const page = paths.activities(childId, "upcoming");
      note(page, unsentSentence(name, next), hasFailed(next.panel));
    },
    [childId, name, read, write, note],
  );
  return { state, dispatch };
}

/** What other pages say about feedback that was not sent; null if there is none. */
function unsentSentence(name: string, state: FeedbackState): string | null {
  const { panel } = state;
  const unsent = lastChangeUnsaved(name);
  if (hasFailed(panel)) return `${unsent} ${panel.failure}`;
  return panel.kind === "submitting" || !holdsUnsent(state) ? null : unsent;
}
