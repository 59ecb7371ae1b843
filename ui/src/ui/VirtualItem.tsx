import { type CSSProperties, type ReactNode, type Ref, createContext, use } from "react";

/** A list of which only a part is in the document. */
interface VirtualList {
  /** How many items it has; null while that is not known. */
  size: number | null;
  /** Whether the first item that is loaded is the list's first. */
  fromStart?: boolean;
}

const VirtualListContext = createContext<VirtualList>({ size: null });

/** Tells the items of a virtual list how many there are. */
export function VirtualListSize({ children, ...list }: VirtualList & { children: ReactNode }) {
  return <VirtualListContext value={list}>{children}</VirtualListContext>;
}

interface VirtualItemProps {
  style: CSSProperties;
  index: number;
  children: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

/** An item that says its place in the whole list, which a screen reader can't count. */
export function VirtualItem({ style, index, children, ref }: VirtualItemProps) {
  const { size, fromStart = true } = use(VirtualListContext);
  return (
    <li ref={ref} style={style} aria-setsize={size ?? -1} aria-posinset={fromStart ? index + 1 : undefined}>
      {children}
    </li>
  );
}
