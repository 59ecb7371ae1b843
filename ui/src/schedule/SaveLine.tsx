import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { TimesAction } from "./queries";
import type { SaveStatus } from "../rules/saved-edit";
import { plainText } from "../format/plain-text";

interface SaveLineProps {
  status: SaveStatus;
  dispatch: (action: TimesAction) => void;
  className?: string;
}

/** The status of the last change. Its space is reserved, so that the page doesn't move. */
export function SaveLine({ status, dispatch, className = "" }: SaveLineProps) {
  return (
    <div className={`min-h-10 print:hidden ${className}`}>
      <p role="status">
        {status.kind === "saving" && (
          <span className="appear inline-block rounded-control bg-page py-2 pe-3 text-muted">
            <Trans>Saving changes...</Trans>
          </span>
        )}
      </p>
      {status.kind === "failed" && (
        <div className="pointer-events-auto flex flex-wrap items-center gap-x-1">
          <p
            role="alert"
            className="appear w-fit rounded-control border border-danger bg-surface px-3 py-2 [overflow-wrap:anywhere] text-danger"
          >
            {plainText(status.sentence)}
          </p>
          {retries.map(({ label, action }) => (
            <button
              key={action.kind}
              type="button"
              onClick={() => dispatch(action)}
              className="min-h-11 rounded-control bg-page px-2 font-bold text-primary hover:bg-quiet"
            >
              {i18n._(label)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const retries = [
  { label: msg`Try again`, action: { kind: "save" } },
  { label: msg`Undo`, action: { kind: "discard" } },
] as const;
