import {
  type ReactNode,
  createContext,
  use,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";

/** Whether a state has unsaved input. */
type IsTyped<State> = (state: State) => boolean;

/** A store of named states. */
class PageStates {
  readonly #states = new Map<string, unknown>();
  /** The names of the states with unsaved input. */
  readonly #typed = new Set<string>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly holdsTyped = (): boolean => this.#typed.size > 0;

  read(name: string): unknown {
    return this.#states.get(name);
  }

  write(name: string, state: unknown, isTyped: boolean): void {
    this.#states.set(name, state);
    if (isTyped) this.#typed.add(name);
    else this.#typed.delete(name);
    for (const listener of this.#listeners) listener();
  }
}

/** The states of the last guardian, who may sign in again in this tab. */
interface Kept {
  owner: string;
  states: PageStates;
}

class Keeper {
  #kept: Kept | null = null;

  statesOf(owner: string): PageStates {
    if (this.#kept?.owner !== owner) this.#kept = { owner, states: new PageStates() };
    return this.#kept.states;
  }

  forget(): void {
    this.#kept = null;
  }
}

const KeeperContext = createContext<Keeper | null>(null);
const PageStatesContext = createContext<PageStates | null>(null);

interface PageStateKeeperProps {
  /** Discards the states, because the guardian has signed out. */
  forgets: boolean;
  children: ReactNode;
}

/** Preserves the pages' states if the server ends the sign-in and the same guardian signs in again. */
export function PageStateKeeper({ forgets, children }: PageStateKeeperProps) {
  const [keeper] = useState(() => new Keeper());
  useEffect(() => {
    if (forgets) keeper.forget();
  }, [keeper, forgets]);
  return <KeeperContext value={keeper}>{children}</KeeperContext>;
}

interface PageStateProviderProps {
  /** The guardian's id. Another owner starts without states. */
  owner?: string;
  children: ReactNode;
}

export function PageStateProvider({ owner = "", children }: PageStateProviderProps) {
  const keeper = use(KeeperContext);
  const [states] = useState(() => keeper?.statesOf(owner) ?? new PageStates());
  useWarningBeforeUnload(states);
  return <PageStatesContext value={states}>{children}</PageStatesContext>;
}

/** Makes the browser ask before unsaved input is lost by a reload or by closing the tab. */
function useWarningBeforeUnload({ subscribe, holdsTyped }: PageStates): void {
  const warns = useSyncExternalStore(subscribe, holdsTyped);
  useEffect(() => {
    if (!warns) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [warns]);
}

/**
 * State that outlives the page. `read` returns the latest value, which may not be rendered yet. `isTyped` must not change
 * between renders.
 */
export function usePageState<State>(name: string, initial: State, isTyped?: IsTyped<State>) {
  const states = use(PageStatesContext);
  if (states === null) throw new Error("usePageState is called outside PageStateProvider.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has one type
  const read = useCallback(() => (states.read(name) ?? initial) as State, [states, name, initial]);
  const write = useCallback(
    (next: State) => states.write(name, next, isTyped?.(next) === true),
    [states, name, isTyped],
  );
  const state = useSyncExternalStore(states.subscribe, read);
  return { state, read, write };
}

/** An `IsTyped` for a text that is null until it is edited. */
export function isChanged(draft: unknown): boolean {
  return draft !== null;
}
