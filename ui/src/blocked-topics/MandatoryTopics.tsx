import { LockIcon, XIcon } from "lucide-react";
import { memo } from "react";

import type { EditingAction } from "./editing";
import { mandatoryTopics } from "./rules";
import { Tooltip } from "../ui/Tooltip";
import { VisuallyHidden } from "../ui/VisuallyHidden";

/** What is blocked for everybody: one quiet group, each with a lock and with its explanation at hand. */
export const MandatoryTopics = memo(({ dispatch }: { dispatch: (action: EditingAction) => void }) => (
  <ul aria-label="Always blocked" className="flex flex-wrap gap-1.5 rounded-surface bg-quiet p-2">
    {mandatoryTopics.map((topic) => (
      <li
        key={topic}
        className="flex max-w-full items-center gap-2 rounded-bubble border border-line pl-3 text-sm text-muted"
      >
        <LockIcon className="size-4" />
        <VisuallyHidden>Always blocked:</VisuallyHidden>
        <span className="min-w-0 py-1.5">{topic}</span>
        <Tooltip words="This topic is always blocked for safety and cannot be removed.">
          {(describedBy) => (
            <button
              type="button"
              aria-disabled="true"
              aria-label={`Remove ${topic}`}
              aria-describedby={describedBy}
              onClick={() => dispatch({ kind: "remove", topic })}
              className="-ml-3 flex size-11 cursor-not-allowed items-center justify-center rounded-bubble opacity-50"
            >
              <XIcon className="size-4" />
            </button>
          )}
        </Tooltip>
      </li>
    ))}
  </ul>
));
