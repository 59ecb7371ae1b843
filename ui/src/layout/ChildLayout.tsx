import { useEffect } from "react";
import { Outlet } from "react-router";

import { useChildren, useNamedChild } from "../children/children";
import { WithoutChildren } from "../children/WithoutChildren";

/** A child's pages. They are shown once the list of children is there; the child that the address names gets selected. */
export function ChildLayout() {
  const { list, select } = useChildren();
  const childId = useNamedChild()?.child_id;
  useEffect(() => {
    if (childId !== undefined) select(childId);
  }, [childId, select]);

  return list.status === "loaded" ? <Outlet /> : <WithoutChildren list={list} />;
}
