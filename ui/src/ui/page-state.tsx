import { type ReactNode, createContext, use, useCallback, useState, useSyncExternalStore } from "react";

/** A store of named states that lives as long as its provider. */
class PageStates {
  readonly #states = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  read(name: string): unknown {
    return this.#states.get(name);
  }

  write(name: string, state: unknown): void {
    this.#states.set(name, state);
    for (const listener of this.#listeners) listener();
  }
}

const PageStatesContext = createContext<PageStates | null>(null);

export function PageStateProvider({ children }: { children: ReactNode }) {
  const [states] = useState(() => new PageStates());
  return <PageStatesContext value={states}>{children}</PageStatesContext>;
}

/** State that is kept when the page is left. `read` returns the latest value, which may not be rendered yet. */
export function usePageState<State>(name: string, initial: State) {
  const states = use(PageStatesContext);
  if (states === null) throw new Error("usePageState is called outside PageStateProvider.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has one type
  const read = useCallback(() => (states.read(name) ?? initial) as State, [states, name, initial]);
  const write = useCallback((next: State) => states.write(name, next), [states, name]);
  const state = useSyncExternalStore(states.subscribe, read);
  return { state, read, write };
}
