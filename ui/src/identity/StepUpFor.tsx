import { StepUpDialog } from "./StepUpDialog";
import { needsStepUp } from "../api/problem";

interface StepUpForProps<Variables> {
  /** A call that may be refused with 403 until the guardian has stepped up. */
  mutation: {
    error: unknown;
    variables: Variables | undefined;
    reset: () => void;
    mutate: (variables: Variables) => void;
  };
  /** The guardian doesn't want to after all. */
  onClose?: () => void;
}

/** Lets the guardian step up when a call was refused for it, and makes the call again. */
export function StepUpFor<Variables>({ mutation, onClose }: StepUpForProps<Variables>) {
  const { error, variables, reset, mutate } = mutation;
  if (!needsStepUp(error)) return null;
  return (
    <StepUpDialog
      onClose={() => {
        reset();
        onClose?.();
      }}
      onDone={() => {
        if (variables !== undefined) mutate(variables);
      }}
    />
  );
}
