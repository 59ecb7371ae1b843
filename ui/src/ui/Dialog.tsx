import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

import { focusAfterDialog } from "./focus";
import { useOutsideForms } from "./Form";

interface DialogProps {
  title: string;
  /** What it is about. */
  children: ReactNode;
  /** The buttons, the one that changes something last. */
  actions: ReactNode;
  /** What was asked is being done, so that it is too late to close the question. */
  busy?: boolean;
  /** Escape was pressed, or the page behind it was touched. */
  onClose: () => void;
}

/** A question in front of the page, open as long as it is rendered. The page behind it can't be reached. */
export function Dialog({ title, children, actions, busy = false, onClose }: DialogProps) {
  useOutsideForms("A dialog");
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  // A layout effect, so that it is closed while it is still in the document: only then does the focus go back.
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
      // A browser closes it by itself when Escape is pressed twice.
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
