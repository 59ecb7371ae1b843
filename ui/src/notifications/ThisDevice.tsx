import { useMutation, useQueryClient } from "@tanstack/react-query";

import { canBePushed, NotAllowed, subscribe } from "./push";
import type { Push } from "./settings";
import {
  getGetPushSubscriptionQueryKey,
  replacePushSubscription,
  useDeletePushSubscription,
} from "../api/generated/client/subscription/subscription";
import { Failure } from "../api/Failure";
import { shortDate } from "../format/dates";
import { leaveDevice } from "../identity/leave-device";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";

/** Notifications of the device that this is read on. */
export function ThisDevice({ push: { key, since } }: { push: Push }) {
  const queries = useQueryClient();
  const reload = async () => queries.invalidateQueries({ queryKey: getGetPushSubscriptionQueryKey() });
  const on = useMutation({
    mutationFn: async (serverKey: string) => replacePushSubscription(await subscribe(serverKey)),
    onSuccess: reload,
    onError: leaveDevice,
  });
  const off = useDeletePushSubscription({
    mutation: { onSuccess: async () => Promise.all([leaveDevice(), reload()]) },
  });
  if (key === undefined || !canBePushed()) return null;
  return (
    <Section heading="This device" level={3} className="flex flex-col items-start gap-2">
      <p className="text-sm text-muted">
        Only on a phone that nobody else unlocks. Google, Apple or Mozilla pass it on, without names or words;
        they learn when.
      </p>
      {since !== undefined && <p>On since {shortDate(since, new Date())}, until you sign out here.</p>}
      {since === undefined ? (
        <Button look="plain" busy={on.isPending} onClick={() => on.mutate(key)}>
          Notify me on this device
        </Button>
      ) : (
        <Button look="quiet" busy={off.isPending} onClick={() => off.mutate()}>
          Switch off
        </Button>
      )}
      {on.error instanceof NotAllowed ? (
        <Alert kind="error">{on.error.message}</Alert>
      ) : (
        <Failure error={on.error} />
      )}
      <Failure error={off.error} />
    </Section>
  );
}
