import { Outlet } from "react-router";

import { useChildren } from "../children/children";
import { ChildrenNotLoaded } from "../children/ChildrenNotLoaded";

/** A child's pages, once the list of children is there. */
export function ChildLayout() {
  const { list } = useChildren();
  return list.kind === "loaded" ? <Outlet /> : <ChildrenNotLoaded list={list} />;
}
