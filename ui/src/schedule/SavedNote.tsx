import { t } from "@lingui/core/macro";

/** Beside the button that was pressed, once the change is saved. */
export function SavedNote({ shown }: { shown: boolean }) {
  return (
    <span role="status" className="self-center text-sm text-muted">
      {shown && t`Saved.`}
    </span>
  );
}
