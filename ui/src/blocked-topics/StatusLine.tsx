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
 * The status of the last change. Its space is reserved, so that the page doesn't move; it sticks to the top of a long
 * list, below the input if that does. Validation messages time out and may overlap content.
 */
export function StatusLine({ status, unsaved, dispatch, children }: StatusLineProps) {
  const saving = status.kind === "saving";
  return (
    <div className="pointer-events-none sticky top-[calc(4.5rem+env(safe-area-inset-top))] z-10 -my-3 min-h-10 print:hidden [@media(min-height:40rem)]:peer-focus-within:top-[calc(13rem+env(safe-area-inset-top))] sm:[@media(min-height:40rem)]:peer-focus-within:top-[calc(9.75rem+env(safe-area-inset-top))]">
      <p
        role="status"
        className={saving ? "appear inline-block rounded-control bg-page py-2 pr-3 text-muted" : ""}
      >
        {saving && "Saving changes..."}
        {status.kind === "saved" && <span className="sr-only">Saved.</span>}
      </p>
      {status.kind === "saved" && (
        <div className="pointer-events-auto rounded-control bg-page empty:hidden">{children}</div>
      )}
      {status.kind === "refused" && (
        <p role="alert" className={`absolute top-0 max-w-full shadow-float ${errorLine}`}>
          {plainText(status.sentence)}
        </p>
      )}
      {!saving && unsaved && (
        <div className="pointer-events-auto flex flex-wrap items-center gap-x-3">
          {status.kind === "failed" ? (
            <p role="alert" className={errorLine}>
              {plainText(status.sentence)}
            </p>
          ) : (
            <p className="rounded-control bg-page py-2 text-muted">Your last change is not saved yet.</p>
          )}
          <button
            type="button"
            onClick={() => dispatch({ kind: "save" })}
            className="min-h-10 rounded-control bg-page px-2 font-bold text-primary hover:bg-quiet"
          >
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

const errorLine =
  "appear w-fit rounded-control border border-danger bg-surface px-3 py-2 text-danger [overflow-wrap:anywhere]";
