import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { XIcon } from "lucide-react";
import { type RefObject, memo, useId, useLayoutEffect, useRef, useState } from "react";

import type { EditingAction } from "./editing";
import { useFocusAfterRemoval } from "../ui/focus";
import { plainText } from "../format/plain-text";
import { topicName } from "../rules/standard-topics";
import { TextField } from "../ui/TextField";
import { nothingFound } from "../format/nothing-found";

interface OwnTopicsProps {
  own: readonly string[];
  lastAdded: string | null;
  saving: boolean;
  dispatch: (action: EditingAction) => void;
  /** Where the focus goes when there is no topic left. */
  heading: RefObject<HTMLElement | null>;
}

/** From so many topics on they can be filtered. */
const MANY = 30;

/** The child's own topics, in the order in which they were added, each with a button that removes it. */
export const OwnTopics = memo(({ own, lastAdded, saving, dispatch, heading }: OwnTopicsProps) => {
  const [filter, setFilter] = useState("");
  // What was just added is shown.
  const [shownAdded, setShownAdded] = useState(lastAdded);
  if (lastAdded !== shownAdded) {
    setShownAdded(lastAdded);
    if (lastAdded !== null) setFilter("");
  }
  const wanted = filter.trim().toLowerCase();
  const shown = own.filter((topic) => topicName(topic).toLowerCase().includes(wanted));
  const focus = { items: shown, target: "button", fallback: heading, preventScroll: true };
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>(focus);
  if (own.length === 0) {
    return (
      <p className="py-4 text-muted">
        <Trans>No topics are currently blocked (besides mandatory safety filters).</Trans>
      </p>
    );
  }
  return (
    <>
      {(own.length >= MANY || filter !== "") && (
        <div className="max-w-sm pt-1 print:hidden">
          <TextField
            type="search"
            label={plural(
              { count: own.length },
              {
                one: "Find one of your # topics",
                other: "Find one of your # topics",
              },
            )}
            autoComplete="off"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        </div>
      )}
      <p role="status" className={shown.length === 0 ? "py-2 text-muted" : "sr-only"}>
        {shown.length === 0
          ? nothingFound()
          : wanted !== "" && plural({ count: shown.length }, { one: "# found", other: "# found" })}
      </p>
      <ul ref={list} aria-label={t`Your own topics`} className="flex flex-wrap gap-2">
        {shown.map((topic) => (
          <Chip
            key={topic}
            topic={topic}
            added={topic === lastAdded}
            saving={saving}
            onRemove={() => {
              if (!saving) leave(topic);
              dispatch({ kind: "remove", topic });
            }}
          />
        ))}
      </ul>
    </>
  );
});

interface ChipProps {
  topic: string;
  /** Added last: scrolled into view, and highlighted until the next change. */
  added: boolean;
  saving: boolean;
  onRemove: () => void;
}

function Chip({ topic, added, saving, onRemove }: ChipProps) {
  const chip = useRef<HTMLLIElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (added && chip.current !== null) scrollIntoSight(chip.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once more after the save: the status line may have grown
  }, [added, saving]);
  const shown = plainText(topicName(topic));
  return (
    <li
      ref={chip}
      className={`flex max-w-full scroll-mb-[calc(var(--bar)+1rem)] items-center rounded-bubble border ps-4 transition-colors duration-200 print:pe-4 ${
        added ? "appear border-lamp bg-lamp-glow forced-colors:border-2" : "border-edge bg-surface"
      }`}
    >
      <span
        id={`${id}-topic`}
        dir="auto"
        className="min-w-0 py-2 text-left page-rtl:text-right [overflow-wrap:anywhere]"
      >
        {shown}
      </span>
      <button
        type="button"
        aria-disabled={saving}
        id={id}
        aria-label={t`Remove`}
        aria-labelledby={`${id} ${id}-topic`}
        onClick={onRemove}
        className="flex size-11 shrink-0 items-center justify-center rounded-bubble text-muted transition-colors hover:text-danger aria-disabled:opacity-50 aria-disabled:delay-200"
      >
        <XIcon className="size-5" />
      </button>
    </li>
  );
}

/** Scrolls a hidden element to below the input, which stays in sight. An on-screen keyboard hides what it covers. */
function scrollIntoSight(element: HTMLElement): void {
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  const end = window.visualViewport?.height ?? innerHeight;
  if (top < Number.parseFloat(scrollMarginTop) || bottom > end - Number.parseFloat(scrollMarginBottom))
    element.scrollIntoView();
}
