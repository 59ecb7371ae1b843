import { useCallback } from "react";

import { type FeedbackEvent, type FeedbackPanel, closed, nextPanel } from "./feedback";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

/** The feedback panel of a child. It outlives the page, so that nothing typed is lost and there is one submission at a time. */
export function useFeedbackPanel({ child_id: childId, name }: Child) {
  const { state: panel, read, write } = usePageState(`feedback for ${childId}`, closed);
  const { note } = useUnsavedWork();
  const act = useCallback(
    (event: FeedbackEvent) => {
      const now = nextPanel(read(), event);
      write(now);
      note(paths.activities(childId, "upcoming"), unsentSentence(name, now));
    },
    [childId, name, read, write, note],
  );
  return { panel, act };
}

/** What another page says when feedback was not sent; null when none failed. */
function unsentSentence(name: string, panel: FeedbackPanel): string | null {
  if (panel.is !== "open" || panel.failure === null) return null;
  return `Your feedback for ${plainText(name)} was not sent. ${panel.failure}`;
}
