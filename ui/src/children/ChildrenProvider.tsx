import { type ReactNode, useMemo, useState } from "react";

import {
  type ChildrenAccess,
  ChildrenContext,
  type ChildrenList,
  selectedOf,
  childrenSentence,
} from "./children";
import { useListChildren } from "../api/generated/client/children/children";

/** Loads the guardian's children and remembers which one is selected. */
export function ChildrenProvider({ children }: { children: ReactNode }) {
  const query = useListChildren();
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { data, error, isError, refetch } = query;

  const access = useMemo<ChildrenAccess>(() => {
    const list: ChildrenList = isError
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
  }, [data, error, isError, refetch, chosenId]);

  return <ChildrenContext value={access}>{children}</ChildrenContext>;
}
