import { PlusIcon } from "lucide-react";
import { type RefObject, memo } from "react";

import type { EditingAction } from "./editing";
import { topicName } from "../rules/standard-topics";
import { useFocusAfterRemoval } from "../ui/focus";

interface SuggestedTopicsProps {
  suggestions: readonly string[];
  saving: boolean;
  dispatch: (action: EditingAction) => void;
  /** Where the focus goes when there is no suggestion left. */
  heading: RefObject<HTMLElement | null>;
}

/** Examples that are not blocked yet; a click adds one. */
export const SuggestedTopics = memo(({ suggestions, saving, dispatch, heading }: SuggestedTopicsProps) => {
  const focus = { items: suggestions, target: "button", fallback: heading, preventScroll: true };
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>(focus);
  return (
    <ul ref={list} aria-labelledby="examples" className="flex flex-wrap gap-2">
      {suggestions.map((topic) => (
        <li key={topic} className="max-w-full">
          <button
            type="button"
            aria-disabled={saving}
            onClick={() => {
              if (!saving) leave(topic);
              dispatch({ kind: "add", suggestion: topic });
            }}
            className="flex min-h-11 max-w-full items-center gap-2 rounded-bubble border border-edge bg-surface py-1.5 pe-4 ps-3 text-start wrap-anywhere text-primary transition-colors hover:bg-quiet aria-disabled:border-line aria-disabled:text-muted aria-disabled:delay-200"
          >
            <PlusIcon className="size-4 shrink-0" />
            {topicName(topic)}
          </button>
        </li>
      ))}
    </ul>
  );
});
