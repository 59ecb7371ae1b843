import type { Act, Doing } from "./editing";
import { plainText } from "../format/plain-text";
import { VisuallyHidden } from "../ui/VisuallyHidden";

interface StatusLineProps {
  doing: Doing;
  /** Whether there is something on screen that the server has not kept. */
  unsaved: boolean;
  act: (act: Act) => void;
}

/**
 * How the last change went. The line has a place of its own, so that nothing moves when it speaks, and stays in sight
 * while one is far down the list. A rule's sentence, which leaves by itself, may lie over what follows.
 */
export function StatusLine({ doing, unsaved, act }: StatusLineProps) {
  const saving = doing.is === "saving";
  return (
    <div className="pointer-events-none sticky top-[calc(4.5rem+env(safe-area-inset-top))] z-10 -my-3 min-h-10">
      <p
        role="status"
        className={saving ? "appear inline-block rounded-control bg-page py-2 pr-3 text-muted" : ""}
      >
        {saving && "Saving changes..."}
        {doing.is === "saved" && <VisuallyHidden>Saved.</VisuallyHidden>}
      </p>
      {doing.is === "refused" && (
        <p role="alert" className={`absolute top-0 max-w-full shadow-float ${errorLine}`}>
          {plainText(doing.sentence)}
        </p>
      )}
      {!saving && unsaved && (
        <div className="pointer-events-auto flex flex-wrap items-center gap-x-3">
          {doing.is === "failed" ? (
            <p role="alert" className={errorLine}>
              {plainText(doing.sentence)}
            </p>
          ) : (
            <p className="rounded-control bg-page py-2 text-muted">Your last change is not saved yet.</p>
          )}
          <button
            type="button"
            onClick={() => act({ act: "save again" })}
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
  "appear w-fit rounded-control bg-danger-glow px-3 py-2 text-danger [overflow-wrap:anywhere]";
