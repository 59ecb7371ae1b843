import { t } from "@lingui/core/macro";
import { useLayoutEffect, useRef } from "react";

import { Alert } from "./Alert";
import { Button } from "./Button";
import { focusHeading } from "./focus";

/** An error with a retry button. If the retry removes the button, the focus moves to the heading. */
export function ErrorState({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const shown = button.current;
    return () => {
      if (shown === document.activeElement) focusHeading();
    };
  }, []);
  return (
    <div className="flex flex-col items-start gap-4">
      <Alert kind="error">{sentence}</Alert>
      <Button ref={button} look="plain" onClick={onRetry}>
        {t`Try again`}
      </Button>
    </div>
  );
}
