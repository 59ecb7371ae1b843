/** A browser that isn't Chromium. Each tab that it opens has cookies and storage of its own. */
export interface OtherBrowser {
  openTab: () => Promise<Tab>;
  stop: () => Promise<void>;
}

export interface Tab {
  goto: (url: string) => Promise<void>;
  /** Evaluates an expression, awaits it, and returns what JSON can hold of it. */
  evaluate: (expression: string) => Promise<unknown>;
  /** Presses the mouse where this is, in the window. */
  clickAt: (x: number, y: number) => Promise<void>;
  /** Types into what has the focus. */
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
