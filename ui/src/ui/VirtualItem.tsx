import { type CSSProperties, type ReactNode, type Ref, createContext, use } from "react";

/** A list of which only visible items are in the document. */
interface VirtualList {
  /** The total number of items; null if unknown. */
  size: number | null;
  /** Whether the first item that is loaded is the list's first. */
  fromStart?: boolean;
}

const VirtualListContext = createContext<VirtualList>({ size: null });

/** Provides a virtual list's size to its items. */
export function VirtualListSize({ children, ...list }: VirtualList & { children: ReactNode }) {
  return <VirtualListContext value={list}>{children}</VirtualListContext>;
}

interface VirtualItemProps {
  style: CSSProperties;
  index: number;
  children: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

/** Sets `aria-posinset` and `aria-setsize`, because screen readers can't count the items. */
export function VirtualItem({ style, index, children, ref }: VirtualItemProps) {
  const { size, fromStart = true } = use(VirtualListContext);
  return (
    <li ref={ref} style={style} aria-setsize={size ?? -1} aria-posinset={fromStart ? index + 1 : undefined}>
      {children}
    </li>
  );
}
