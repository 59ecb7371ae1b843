import { Trans } from "@lingui/react/macro";
import { TriangleAlertIcon } from "lucide-react";

/** The surface of what is urgent, and of nothing else. */
export const urgentClass = "border-danger bg-urgent";

/** A number of unseen alerts. */
export function countClass(isUrgent: boolean): string {
  const colour = isUrgent ? "bg-danger text-page" : "bg-primary text-on-primary";
  return `inline-flex min-w-5 items-center justify-center gap-0.5 rounded-full border px-1 text-xs font-bold tabular-nums ${colour}`;
}

/** In front of the number, so that not only the colour says that something is urgent. */
export function CountIcon() {
  return <TriangleAlertIcon className="my-0.5 size-3" />;
}

/** The word and the icon of what is urgent. */
export function UrgentMark() {
  return (
    <span className="inline-flex items-center gap-1.5 font-bold text-danger">
      <TriangleAlertIcon className="size-5" />
      <Trans>Urgent</Trans>
    </span>
  );
}
