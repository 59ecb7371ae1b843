import { t } from "@lingui/core/macro";
import { LockIcon, XIcon } from "lucide-react";
import { memo, useId } from "react";

import type { EditingAction } from "./editing";
import { mandatoryTopics } from "./rules";
import { topicName } from "../rules/standard-topics";
import { Tooltip } from "../ui/Tooltip";

/** The topics that are blocked for every child. Hovering, tapping or focusing one explains why it stays. */
export const MandatoryTopics = memo(({ dispatch }: { dispatch: (action: EditingAction) => void }) => {
  const id = useId();
  return (
    <ul aria-label={t`Always blocked`} className="flex flex-wrap gap-1.5 rounded-surface bg-quiet p-2">
      {mandatoryTopics.map((topic, index) => (
        <li key={topic} className="flex max-w-full *:min-w-0">
          <Tooltip words={t`This topic is always blocked for safety and cannot be removed.`}>
            {(describedBy) => (
              <span className="flex min-w-0 items-center gap-2 rounded-bubble border border-line ps-3 text-sm text-muted print:pe-3 forced-colors:border-dashed">
                <LockIcon className="size-4 shrink-0" />
                <span id={`${id}-${index}-topic`} className="min-w-0 py-1.5 wrap-anywhere">
                  {topicName(topic)}
                </span>
                <button
                  type="button"
                  aria-disabled="true"
                  id={`${id}-${index}`}
                  aria-label={t`Remove`}
                  aria-labelledby={`${id}-${index} ${id}-${index}-topic`}
                  aria-describedby={describedBy}
                  onClick={() => dispatch({ kind: "remove", topic })}
                  className="-ms-3 flex size-11 shrink-0 cursor-default items-center justify-center rounded-bubble opacity-40"
                >
                  <XIcon className="size-4" />
                </button>
              </span>
            )}
          </Tooltip>
        </li>
      ))}
    </ul>
  );
});
