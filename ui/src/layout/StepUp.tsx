import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

import { unreachable } from "../api/send";
import { type StepUpOptions, provideStepUp } from "../api/step-up";
import { useIdentity } from "../identity/identity";
import type { StepUpDialogProps } from "../identity/StepUpDialog";
import { DialogsHidden } from "../ui/dialogs-hidden";

interface Asking {
  options: StepUpOptions;
  Dialog: ComponentType<StepUpDialogProps>;
  answer: (steppedUp: boolean) => void;
}

/** Shows the dialog in which the guardian steps up, above whatever waits for it. */
export function StepUp({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const { identity } = useIdentity();
  const { pathname } = useLocation();
  const place = `${identity.kind === "signed-in" ? identity.guardian.id : ""} ${pathname}`;
  useEffect(() => {
    let cancel: (() => void) | null = () => {};
    const takeBack = provideStepUp(async (options) => {
      // Code-split, because it is rarely rendered.
      const { StepUpDialog } = await import("../identity/StepUpDialog").catch((cause: unknown) => {
        throw unreachable(cause);
      });
      return new Promise((resolve) => {
        const own: Asking = {
          options,
          Dialog: StepUpDialog,
          answer: (steppedUp) => {
            setAsking((current) => (current === own ? null : current));
            resolve(steppedUp);
          },
        };
        if (cancel === null) return resolve(false);
        cancel = () => own.answer(false);
        setAsking(own);
      });
    });
    return () => {
      takeBack();
      cancel?.();
      cancel = null;
    };
  }, []);
  const before = useRef(place);
  useEffect(() => {
    // Leaving the page or signing out cancels it.
    if (before.current !== place) asking?.answer(false);
    before.current = place;
  }, [asking, place]);
  return (
    <>
      <DialogsHidden value={asking !== null}>{children}</DialogsHidden>
      {asking !== null && (
        <asking.Dialog
          {...asking.options}
          onClose={() => asking.answer(false)}
          onDone={() => asking.answer(true)}
        />
      )}
    </>
  );
}
