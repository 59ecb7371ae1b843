import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { useBeforeUnload, useBlocker } from "react-router";

import { Confirmation } from "../ui/Confirmation";

interface AskBeforeLeavingProps {
  title: string;
  /** Describes what would be lost. */
  children: ReactNode;
}

/** Asks before the page is left, for as long as it is rendered; the browser asks before a reload. */
export function AskBeforeLeaving({ title, children }: AskBeforeLeavingProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  useBeforeUnload((event) => event.preventDefault());
  if (blocker.state !== "blocked") return null;
  return (
    <Confirmation
      title={title}
      action={t`Leave`}
      busy={false}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      {children}
    </Confirmation>
  );
}
