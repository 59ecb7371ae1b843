import { Outlet } from "react-router";

import { useChildren } from "../children/children";
import { ChildrenNotLoaded } from "../children/ChildrenNotLoaded";

/** Renders a child's pages once the list of children has loaded. */
export function ChildLayout() {
  const { list } = useChildren();
  return list.kind === "loaded" ? <Outlet /> : <ChildrenNotLoaded list={list} />;
}
