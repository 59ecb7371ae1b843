import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

import { moveByKey } from "./arrow-keys";

interface TabsProps<Key extends string> {
  label: string;
  tabs: readonly { key: Key; label: string }[];
  selected: Key;
  onSelect: (key: Key) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
}

/** Tabs with automatic activation: an arrow key focuses the next tab and selects it. */
export function Tabs<Key extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    moveByKey(event, {
      count: tabs.length,
      current: tabs.findIndex((tab) => tab.key === selected),
      isLoop: true,
      onMove: (to) => {
        const tab = tabs[to];
        if (tab === undefined) return;
        onSelect(tab.key);
        list.current?.querySelector<HTMLElement>(`[data-tab="${tab.key}"]`)?.focus();
      },
    });
  };
  return (
    <div className="flex flex-col gap-5">
      <div
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex flex-wrap gap-x-1 border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-tab={tab.key}
            aria-selected={tab.key === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === selected ? 0 : -1}
            onClick={() => onSelect(tab.key)}
            className="-mb-px min-h-11 border-b-3 border-transparent px-4 font-bold text-muted hover:text-ink aria-selected:border-lamp aria-selected:text-ink forced-colors:border-[Canvas] forced-colors:aria-selected:border-[Highlight]"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  );
}
