import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDownIcon } from "lucide-react";
import { Suspense, lazy, startTransition, useOptimistic, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import { type Child, findNamedChild, useChildren } from "./children";
import type { Marks } from "./ChildFinder";
import { directionOf } from "../format/direction";
import { childIdIn, pathForChild } from "../paths";
import type { HistoryState } from "../ui/history-state";

/** With more children there is a list with a filter. */
const MAX_LISTED = 8;

const chevron = <ChevronDownIcon className="size-5 shrink-0 text-muted" />;

const noChildren: readonly Child[] = [];

// Code-split, because it is loaded later.
const ChildMarks = lazy(async () => ({ default: (await import("./ChildFinder")).ChildMarks }));

// Code-split, because it is rarely rendered.
const ChildFinder = lazy(async () => ({ default: (await import("./ChildFinder")).ChildFinder }));

/** The dropdown in the top bar: shows the current child and switches to the same page of another one. */
export function ChildSelector() {
  const { list, selected, select } = useChildren();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const namedId = childIdIn(pathname);
  const current = namedId === null ? selected : findNamedChild(list, namedId);
  // Shows the choice before its page has loaded, so that the next arrow key continues from it.
  const [shown, show] = useOptimistic(current);
  const all = list.kind === "loaded" ? list.children : noChildren;
  const [marks, setMarks] = useState<Marks>(new Map());
  const [opened, setOpened] = useState(0);
  const mark = (childId: number) => marks.get(childId) ?? null;
  const onOpen = () => setOpened(opened + 1);
  const childMarks = all.length > 1 && (
    <Suspense fallback={null}>
      <ChildMarks items={all} shownId={shown?.child_id ?? null} opened={opened} onMarks={setMarks} />
    </Suspense>
  );

  switch (list.kind) {
    case "loading":
      return (
        <p className="text-muted">
          <Trans>Loading children...</Trans>
        </p>
      );
    case "failed":
      return (
        <p className="text-danger [overflow-wrap:anywhere]">
          <Trans>Error: {{ sentence: list.sentence }}</Trans>
        </p>
      );
    case "loaded": {
      const { children } = list;
      if (children.length === 0)
        return (
          <p className="text-muted">
            <Trans>No children profiles found.</Trans>
          </p>
        );
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
      if (children.length > MAX_LISTED) {
        return (
          <Suspense fallback={<p className="truncate text-lg font-bold">{shown?.name}</p>}>
            {childMarks}
            <ChildFinder
              items={children}
              shown={shown}
              icon={chevron}
              mark={mark}
              onOpen={onOpen}
              onChoose={choose}
            />
          </Suspense>
        );
      }
      return (
        <div className="relative -ms-3 flex max-w-80 min-w-0 items-center">
          <select
            aria-label={t`Child`}
            value={shown?.child_id ?? ""}
            dir={directionOf(shown?.name ?? "")}
            onChange={(event) => choose(Number(event.target.value))}
            onPointerDown={onOpen}
            className="field-sizing-content min-h-11 appearance-none max-w-full min-w-0 truncate rounded-control border border-transparent bg-transparent py-1 pr-10 pl-3 page-rtl:pr-3 page-rtl:pl-10 text-lg font-bold hover:bg-quiet"
          >
            {shown === null && (
              <option value="" disabled>
                <Trans>Choose a child</Trans>
              </option>
            )}
            {children.map((child) => (
              <option key={child.child_id} value={child.child_id}>
                {[child.name, mark(child.child_id) ?? []].flat().join(" · ")}
              </option>
            ))}
          </select>
          {childMarks}
          <ChevronDownIcon className="pointer-events-none absolute end-2.5 size-5 text-muted" />
        </div>
      );
    }
  }
}
