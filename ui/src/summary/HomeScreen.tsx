import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { browserStorage } from "../ui/browser-storage";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { isOfWorker } from "../ui/worker";

const KEY = "home-screen";

/** How a phone gets an icon of the app: until it has one, or the guardian has read it. */
export function HomeScreen() {
  const [steps, setSteps] = useState(stepsOnThisPhone);
  if (steps === null) return null;
  const close = () => {
    browserStorage.set(KEY, "read");
    setSteps(null);
  };
  return (
    <Notice
      aria-label={t`Put Porchlight on your home screen`}
      className="flex flex-col items-start gap-2 py-3 print:hidden"
    >
      <h2 className="font-bold">
        <Trans>Put Porchlight on your home screen</Trans>
      </h2>
      <p>{steps}</p>
      <Button look="plain" onClick={close}>
        <Trans>Done</Trans>
      </Button>
    </Notice>
  );
}

/** Null where there is nothing to do: not a phone, no https, or opened from the home screen. */
function stepsOnThisPhone(): string | null {
  const phone = /iPhone|Android/u.exec(navigator.userAgent)?.[0];
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  if (phone === undefined || isInstalled || !isOfWorker() || browserStorage.get(KEY) !== null) return null;
  return phone === "iPhone"
    ? t`In Safari, tap Share, then “Add to Home Screen”. Sign in once more there. To be notified of alerts, open “Subscription” there.`
    : t`Open the browser’s menu ⋮, then tap “Add to Home screen” or “Install app”. To be notified of alerts, open “Subscription” there.`;
}
