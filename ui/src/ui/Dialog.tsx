import { type ReactNode, use, useId, useLayoutEffect, useRef } from "react";

import { DialogsHidden } from "./dialogs-hidden";
import { focusAfterDialog } from "./focus";
import { useOutsideForms } from "./Form";

interface DialogProps {
  title: string;
  children: ReactNode;
  /** The buttons, with the primary one last. */
  actions: ReactNode;
  /** The action is running: the dialog can't be closed. */
  busy?: boolean;
  /** Called at Escape or a click on the backdrop. */
  onClose: () => void;
}

/** A modal dialog, open while it is rendered. */
export function Dialog(props: DialogProps) {
  return use(DialogsHidden) ? null : <OpenDialog {...props} />;
}

function OpenDialog({ title, children, actions, busy = false, onClose }: DialogProps) {
  useOutsideForms("A dialog");
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  // A layout effect, so that it is closed while still in the document: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      focusAfterDialog();
    };
  }, []);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape does the same
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Browsers close it regardless of `cancel` when Escape is pressed twice.
      onClose={() => {
        if (dialog.current?.open !== false) return;
        if (busy) dialog.current.showModal();
        else onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
      className="appear m-auto w-[min(28rem,calc(100vw-2rem))] rounded-surface border border-line bg-surface p-0 text-ink shadow-float backdrop:bg-[oklch(0.2_0.03_268/0.45)]"
    >
      <div className="flex flex-col gap-3 p-5 [overflow-wrap:anywhere] sm:p-6">
        <h2 id={titleId} className="text-lg font-bold">
          {title}
        </h2>
        <div id={textId} className="flex flex-col gap-2">
          {children}
        </div>
        <div className="flex flex-wrap justify-end gap-2 pt-2">{actions}</div>
      </div>
    </dialog>
  );
}
