import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import type { EditingAction, Status } from "./editing";
import { plainText } from "../format/plain-text";

interface StatusLineProps {
  status: Status;
  /** Whether a change on screen is not on the server. */
  unsaved: boolean;
  dispatch: (action: EditingAction) => void;
  /** What can be done after a save. It must fit into the line. */
  children: ReactNode;
}

/**
 * The status of the last change. Its space is reserved, so that the page doesn't move, and opaque only while it is used.
 * Validation messages time out and may overlap content.
 */
export function StatusLine({ status, unsaved, dispatch, children }: StatusLineProps) {
  const saving = status.kind === "saving";
  return (
    <div className="relative min-h-11">
      <p role="status" className={saving ? "appear bg-page pb-2 text-muted" : ""}>
        {saving && t`Saving changes...`}
        {status.kind === "saved" && (
          <span className="sr-only">
            <Trans>Saved.</Trans>
          </span>
        )}
      </p>
      {status.kind === "saved" && <div className="pointer-events-auto bg-page empty:hidden">{children}</div>}
      {status.kind === "refused" && (
        <div className="absolute inset-x-0 top-0 bg-page pb-2">
          <p role="alert" className={errorLine}>
            {plainText(status.sentence)}
          </p>
        </div>
      )}
      {!saving && unsaved && (
        <div className="pointer-events-auto flex flex-wrap items-center gap-x-3 bg-page pb-1">
          {status.kind === "failed" ? (
            <p role="alert" className={errorLine}>
              {plainText(status.sentence)}
            </p>
          ) : (
            <p className="py-2 text-muted">
              <Trans>Your last change is not saved yet.</Trans>
            </p>
          )}
          <button
            type="button"
            onClick={() => dispatch({ kind: "save" })}
            className="min-h-11 rounded-control px-2 font-bold text-primary hover:bg-quiet"
          >
            <Trans>Try again</Trans>
          </button>
        </div>
      )}
    </div>
  );
}

const errorLine =
  "appear w-fit rounded-control border border-danger bg-surface px-3 py-2 text-danger [overflow-wrap:anywhere]";
