import { StepUpDialog } from "./StepUpDialog";
import { needsStepUp } from "../api/problem";

type Repeatable<Variables> = { reset: () => void; mutate: (variables: Variables) => void } & (
  { isError: true; error: unknown; variables: Variables } | { isError: false }
);

interface StepUpForProps<Variables> {
  /** A call that may fail with 403 until the guardian has stepped up. */
  mutation: Repeatable<Variables>;
  /** Called when the guardian closes the dialog without stepping up. */
  onClose?: () => void;
}

/** Asks the guardian to step up if a call requires it, and then repeats the call. */
export function StepUpFor<Variables>({ mutation, onClose }: StepUpForProps<Variables>) {
  if (!mutation.isError || !needsStepUp(mutation.error)) return null;
  const { variables, reset, mutate } = mutation;
  return (
    <StepUpDialog
      onClose={() => {
        reset();
        onClose?.();
      }}
      onDone={() => mutate(variables)}
    />
  );
}
