import { type ReactNode, createContext, use, useCallback, useState, useSyncExternalStore } from "react";

/** The states of pages by name, for as long as the provider is mounted. */
class PageStates {
  readonly #states = new Map<string, unknown>();
  readonly #watchers = new Set<() => void>();

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  read(name: string): unknown {
    return this.#states.get(name);
  }

  write(name: string, state: unknown): void {
    this.#states.set(name, state);
    for (const watcher of this.#watchers) watcher();
  }
}

const PageStatesContext = createContext<PageStates | null>(null);

export function PageStateProvider({ children }: { children: ReactNode }) {
  const [states] = useState(() => new PageStates());
  return <PageStatesContext value={states}>{children}</PageStatesContext>;
}

/** The state of a page that outlives the page. `read` gives it as it is now, which may be newer than what is drawn. */
export function usePageState<State>(name: string, initial: State) {
  const states = use(PageStatesContext);
  if (states === null) throw new Error("usePageState is called outside PageStateProvider.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name is written with one type
  const read = useCallback(() => (states.read(name) ?? initial) as State, [states, name, initial]);
  const write = useCallback((next: State) => states.write(name, next), [states, name]);
  const state = useSyncExternalStore(states.watch, read);
  return { state, read, write };
}
