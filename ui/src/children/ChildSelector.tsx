import { ChevronDownIcon } from "lucide-react";
import { startTransition, useOptimistic } from "react";
import { useLocation, useNavigate } from "react-router";

import { findNamedChild, useChildren } from "./children";
import { directionOf } from "../format/direction";
import { childIdIn, pathForChild } from "../paths";
import type { HistoryState } from "../ui/history-state";

/** The dropdown in the top bar: shows the current child and switches to the same page of another one. */
export function ChildSelector() {
  const { list, selected, select } = useChildren();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const namedId = childIdIn(pathname);
  const current = namedId === null ? selected : findNamedChild(list, namedId);
  // Shows the choice before its page has loaded, so that the next arrow key continues from it.
  const [shown, show] = useOptimistic(current);

  switch (list.kind) {
    case "loading":
      return <p className="text-muted">Loading children...</p>;
    case "failed":
      return <p className="text-danger [overflow-wrap:anywhere]">Error: {list.sentence}</p>;
    case "loaded": {
      if (list.children.length === 0) return <p className="text-muted">No children profiles found.</p>;
      const choose = (childId: number) => {
        select(childId);
        startTransition(async () => {
          show(findNamedChild(list, String(childId)));
          // The focus stays here, so that the arrow keys can select further children.
          await navigate(pathForChild(pathname, childId), {
            state: { keepFocus: true } satisfies HistoryState,
          });
        });
      };
      return (
        <div className="relative -ml-3 flex max-w-80 min-w-0 items-center">
          <select
            aria-label="Child"
            value={shown?.child_id ?? ""}
            dir={directionOf(shown?.name ?? "")}
            onChange={(event) => choose(Number(event.target.value))}
            className="field-sizing-content min-h-11 appearance-none max-w-full min-w-0 truncate rounded-control border border-transparent bg-transparent py-1 pr-10 pl-3 text-lg font-bold hover:bg-quiet"
          >
            {shown === null && (
              <option value="" disabled>
                Choose a child
              </option>
            )}
            {list.children.map((child) => (
              <option key={child.child_id} value={child.child_id}>
                {child.name}
              </option>
            ))}
          </select>
          <ChevronDownIcon className="pointer-events-none absolute right-2.5 size-5 text-muted" />
        </div>
      );
    }
  }
}
