import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

/** A loading sentence above a skeleton. */
export function Loading({
  sentence = t`Loading...`,
  children,
}: {
  sentence?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-muted">
        {sentence}
      </p>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}
