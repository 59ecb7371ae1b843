import { Link } from "react-router";

import { useGetSubscription } from "../api/generated/client/subscription/subscription";
import type { Child } from "../children/children";
import { paths } from "../paths";

/** Offers to choose messages, to a guardian who gets none at once. */
export function ChooseWhere({ child: { child_id: childId } }: { child: Child }) {
  const subscription = useGetSubscription().data?.data;
  if (subscription === undefined) return null;
  const { settings, notification } = subscription;
  if (settings.at_once.email || notification.enabled) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      Your alerts are here and in the bell.
      <Link
        to={paths.section(childId, "subscription")}
        className="inline-flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Choose where you are told
      </Link>
    </p>
  );
}
