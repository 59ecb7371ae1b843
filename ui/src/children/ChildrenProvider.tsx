import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";

import {
  type ChildrenAccess,
  ChildrenContext,
  type ChildrenList,
  childrenQuery,
  childrenSentence,
  selectedOf,
} from "./children";
import { nobodyAnswered } from "../api/problem";

/** Loads the guardian's children and remembers which one is selected. */
export function ChildrenProvider({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(childrenQuery);
  const [chosenId, setChosenId] = useState<number | null>(null);
  // Without a connection nobody said that the list no longer holds.
  const failed = error !== null && !(data !== undefined && nobodyAnswered(error));
  if (failed && chosenId !== null) setChosenId(null);

  const access = useMemo<ChildrenAccess>(() => {
    const list: ChildrenList = failed
      ? {
          status: "failed",
          sentence: childrenSentence(error),
          retry: () => void refetch(),
        }
      : data === undefined
        ? { status: "loading" }
        : { status: "loaded", children: data.data };
    return {
      list,
      selected: selectedOf(list, chosenId),
      select: (childId) => {
        const known = list.status === "loaded" && list.children.some((child) => child.child_id === childId);
        if (known) setChosenId(childId);
      },
    };
  }, [data, error, failed, refetch, chosenId]);

  return <ChildrenContext value={access}>{children}</ChildrenContext>;
}
