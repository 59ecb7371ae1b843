import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";

import {
  type ChildrenAccess,
  ChildrenContext,
  type ChildrenList,
  childrenQuery,
  errorTexts,
  findNamedChild,
} from "./children";
import { storeKnownChildren } from "./known-children";
import { errorMessage, isTransient } from "../api/problem";
import { plainText } from "../format/plain-text";

/** Loads the guardian's children and keeps the selection. */
export function ChildrenProvider({ guardianId, children }: { guardianId: string; children: ReactNode }) {
  const { data, error, refetch } = useQuery(childrenQuery);
  const [chosenId, setChosenId] = useState<number | null>(null);
  // A transient error keeps the loaded list.
  const failed = error !== null && !(data !== undefined && isTransient(error));
  if (failed && chosenId !== null) setChosenId(null);

  // Deferred, so that React renders the page in small steps instead of one long task.
  const hasArrived = useDeferredValue(data !== undefined);

  const access = useMemo<ChildrenAccess>(() => {
    const list: ChildrenList = failed
      ? {
          kind: "failed",
          sentence: errorMessage(error, errorTexts.load),
          retry: () => void refetch(),
        }
      : data === undefined || !hasArrived
        ? { kind: "loading" }
        : {
            kind: "loaded",
            // Names must not change the direction of the surrounding text.
            children: data.data.map((child) => ({ ...child, name: plainText(child.name) })),
          };
    return {
      list,
      selected:
        findNamedChild(list, String(chosenId)) ?? (list.kind === "loaded" ? list.children[0] : null) ?? null,
      select: (childId) => {
        if (findNamedChild(list, String(childId)) !== null) setChosenId(childId);
      },
    };
  }, [data, hasArrived, error, failed, refetch, chosenId]);

  useEffect(() => {
    if (access.list.kind === "loaded") storeKnownChildren(guardianId, access.list.children);
  }, [guardianId, access.list]);

  return <ChildrenContext value={access}>{children}</ChildrenContext>;
}
