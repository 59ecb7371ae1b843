import { useEffect } from "react";
import { Outlet } from "react-router";

import { useChildren, useNamedChild } from "../children/children";
import { ChildrenNotLoaded } from "../children/ChildrenNotLoaded";

/** A child's pages. They are shown once the list of children is there; the child that the address names gets selected. */
export function ChildLayout() {
  const { list, select } = useChildren();
  const childId = useNamedChild()?.child_id;
  useEffect(() => {
    if (childId !== undefined) select(childId);
  }, [childId, select]);

  return list.kind === "loaded" ? <Outlet /> : <ChildrenNotLoaded list={list} />;
}
