import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId } from "react";

import { type Save, useChosen, useSave } from "./queries";
import type { SettingsChange } from "./settings";
import { failureSentence } from "../api/problem";
import { SavedNote } from "../schedule/SavedNote";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Check } from "../ui/Check";

interface ChoiceProps {
  checked: boolean;
  /** The change that switches it on or off. */
  change: (on: boolean) => SettingsChange;
  hint?: ReactNode;
  /** The label. */
  children: ReactNode;
}

/** A checkbox that is saved at once. */
export function Choice({ checked, change, hint, children }: ChoiceProps) {
  const { save, isSaved } = useSave();
  const { shown, choose } = useChosen(checked, save);
  const hintId = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        <Check
          checked={shown}
          aria-describedby={hint === undefined ? undefined : hintId}
          onChange={({ target }) => choose(target.checked, change(target.checked))}
        >
          {children}
        </Check>
        <SavedNote shown={isSaved} />
      </div>
      {hint !== undefined && (
        <p id={hintId} className="-mt-2 ps-8 text-sm text-muted [overflow-wrap:anywhere]">
          {hint}
        </p>
      )}
      <SaveFailure save={save} />
    </div>
  );
}

/** Says that the last change could not be saved, and offers to try again. */
export function SaveFailure({ save }: { save: Save }) {
  const sentence = failureSentence(save.error);
  if (!save.isError || sentence === null) return null;
  return (
    <div className="flex flex-col items-start gap-2 py-1">
      <Alert kind="error">{sentence}</Alert>
      <Button look="plain" onClick={() => save.mutate(save.variables)}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  );
}
