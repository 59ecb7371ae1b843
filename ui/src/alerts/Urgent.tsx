import { Trans } from "@lingui/react/macro";
import { TriangleAlertIcon } from "lucide-react";

/** The surface of what is urgent, and of nothing else. */
export const urgentClass = "border-danger bg-urgent";

/** The word and the icon of what is urgent. */
export function UrgentMark() {
  return (
    <span className="inline-flex items-center gap-1.5 font-bold text-danger">
      <TriangleAlertIcon className="size-5" />
      <Trans>Urgent</Trans>
    </span>
  );
}
