import { ChooseHow } from "./ChooseHow";
import { useGetSubscription } from "../api/generated/client/subscription/subscription";
import type { Child } from "../children/children";

/** Offers to choose messages, to a guardian who gets none at once. */
export function ChooseWhere({ child: { child_id: childId } }: { child: Child }) {
  const subscription = useGetSubscription().data?.data;
  if (subscription === undefined) return null;
  const { settings, notification } = subscription;
  if (settings.at_once.email || notification.enabled) return null;
  return (
    <p>
      <ChooseHow childId={childId} />
    </p>
  );
}
