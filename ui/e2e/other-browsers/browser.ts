/** A browser other than Chromium. Each tab has its own cookies and storage. */
export interface OtherBrowser {
  openTab: () => Promise<Tab>;
  stop: () => Promise<void>;
}

export interface Tab {
  goto: (url: string) => Promise<void>;
  /** Evaluates an expression, awaits it, and returns its value as JSON. */
  evaluate: (expression: string) => Promise<unknown>;
  /** Clicks at this position in the window. */
  clickAt: (x: number, y: number) => Promise<void>;
  /** Types into the focused element. */
  type: (text: string) => Promise<void>;
  close: () => Promise<void>;
}

/** WebDriver's code for the Enter key. */
export const ENTER = "\uE007";

/** The actions that press and release each key. */
export function keyActions(text: string): { type: string; value: string }[] {
  return Array.from(text).flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
}

/** The actions of a click. */
export function clickActions(x: number, y: number): Record<string, unknown>[] {
  return [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
}

/** An expression whose value is the JSON of `expression`'s. */
export function asJson(expression: string): string {
  return `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;
}

export function parseJson(text: unknown): unknown {
  if (typeof text !== "string") throw new Error(`The page answered no JSON: ${JSON.stringify(text)}`);
  return JSON.parse(text);
}
