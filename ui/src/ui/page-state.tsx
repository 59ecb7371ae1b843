import {
  type ReactNode,
  createContext,
  use,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";

/** Whether a state holds what somebody typed and has not saved. */
type IsTyped<State> = (state: State) => boolean;

/** A store of named states that lives as long as its provider. */
class PageStates {
  readonly #states = new Map<string, unknown>();
  /** The names of the states that hold what is not saved. */
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

/** The states of the last owner, who may sign in again in this tab. */
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
  /** The guardian has signed out: nothing is kept. */
  forgets: boolean;
  children: ReactNode;
}

/** Keeps the states of the pages for a guardian who is signed out by the server and signs in again. */
export function PageStateKeeper({ forgets, children }: PageStateKeeperProps) {
  const [keeper] = useState(() => new Keeper());
  useEffect(() => {
    if (forgets) keeper.forget();
  }, [keeper, forgets]);
  return <KeeperContext value={keeper}>{children}</KeeperContext>;
}

interface PageStateProviderProps {
  /** Whose states they are. Another owner starts with none. */
  owner?: string;
  children: ReactNode;
}

export function PageStateProvider({ owner = "", children }: PageStateProviderProps) {
  const keeper = use(KeeperContext);
  const [states] = useState(() => keeper?.statesOf(owner) ?? new PageStates());
  useWarningBeforeUnload(states);
  return <PageStatesContext value={states}>{children}</PageStatesContext>;
}

/** The browser asks before a reload or the end of the tab would lose what was typed. */
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
 * State that is kept when the page is left. `read` returns the latest value, which may not be rendered yet. `isTyped` says
 * whether it holds what somebody typed; it must not change.
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

/** For a text that is null until it is changed. */
export function isChanged(draft: unknown): boolean {
  return draft !== null;
}
