/**
 * Stepping up: the server refuses some calls until the guardian has proved anew that it is they who hold this browser. `http`
 * asks for that, and then makes the call again. `layout/StepUp.tsx` shows the dialog.
 */
import { StepUpCancelled, logFailure, needsStepUp } from "./problem";

/** Shows the dialog. Resolves to whether the guardian has stepped up. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Names who shows the dialog. Returns a function that takes it back. */
export function provideStepUp(shows: Ask): () => void {
  ask = shows;
  return () => {
    if (ask === shows) ask = null;
  };
}

/** Asks the guardian to step up, with one dialog for all that wait for it. Rejects if they don't. */
export async function stepUp(): Promise<void> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  if (!(await asking)) throw new StepUpCancelled("The guardian did not step up.");
}

/** An `onError` for what closes together with the dialog that was cancelled. */
export function ifCancelled(close: () => void): (error: unknown) => void {
  return (error) => {
    if (error instanceof StepUpCancelled) close();
  };
}

/** Makes a call, and makes it again each time that the guardian has stepped up for it. */
export async function withStepUp<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      return await call();
    } catch (error) {
      if (!needsStepUp(error)) throw error;
      logFailure(error);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await stepUp();
    }
  }
}
