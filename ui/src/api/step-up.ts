/**
 * Stepping up: the server refuses some calls until the guardian has proved again who they are. `http` then asks them to, and
 * repeats the call. `layout/StepUp.tsx` shows the dialog.
 */
import { StepUpCancelled, logFailure, needsStepUp } from "./problem";

export interface StepUpOptions {
  /** The e-mail's address is to be confirmed, too. */
  onlyByEmail?: boolean;
}

/** Shows the dialog. Resolves to whether the guardian has stepped up. */
type Ask = (options: StepUpOptions) => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Sets the function that shows the dialog. Returns a function that unsets it. */
export function provideStepUp(shows: Ask): () => void {
  ask = shows;
  return () => {
    if (ask === shows) ask = null;
  };
}

/** Asks the guardian to step up, with one dialog for all that wait for it. Rejects if they don't. */
export async function stepUp(options: StepUpOptions = {}): Promise<void> {
  asking ??= (ask?.(options) ?? Promise.resolve(false)).finally(() => {
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
  try {
    return await call();
  } catch (error) {
    if (!needsStepUp(error)) throw error;
    logFailure(error);
  }
  await stepUp();
  return withStepUp(call);
}
