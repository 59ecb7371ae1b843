import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { Arrival } from "./Arrival";
import { canBePushed, isSubscribed, NotAllowed, subscribe } from "./push";
import { type Push, onSince } from "./settings";
import {
  getGetPushSubscriptionQueryKey,
  replacePushSubscription,
  useDeletePushSubscription,
} from "../api/generated/client/subscription/subscription";
import { getGetAttentionQueryKey } from "../api/generated/client/attention/attention";
import { Failure } from "../api/Failure";
import { dayAndTime } from "../format/dates";
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
    onError: async () => Promise.all([leaveDevice(), reload()]),
  });
  const off = useDeletePushSubscription({
    mutation: { onSuccess: async () => Promise.all([leaveDevice(), reload()]) },
  });
  const isOffered = key !== undefined && canBePushed();
  const subscribed = useQuery({
    queryKey: [...getGetPushSubscriptionQueryKey(), "browser"],
    queryFn: isSubscribed,
    enabled: isOffered,
  });
  if (!isOffered) return null;
  // Either side may have ended it without the other: the server with its key, the browser with its data.
  const isOn = since !== undefined && subscribed.data !== false;
  const hasStopped = !isOn && (since !== undefined || subscribed.data === true);
  return (
    <Section heading={t`This device`} level={3} className="flex flex-col items-start gap-2">
      <p className="text-sm text-muted">
        <Trans>
          Only on a phone that nobody else unlocks. Google, Apple or Mozilla pass it on, without names or
          words; they learn when.
        </Trans>
      </p>
      {isOn && (
        <>
          <p>{onSince(since)}</p>
          <Arrival channel="push" />
        </>
      )}
      {hasStopped && (
        <p role="status">
          <Trans>Notifications on this device have stopped.</Trans>
        </p>
      )}
      {!isOn ? (
        <Button look="plain" busy={on.isPending} onClick={() => on.mutate(key)}>
          <Trans>Notify me on this device</Trans>
        </Button>
      ) : (
        <Button look="quiet" busy={off.isPending} onClick={() => off.mutate()}>
          <Trans>Switch off</Trans>
        </Button>
      )}
      {on.error instanceof NotAllowed ? (
        <Alert kind="error">
          <Trans>
            This browser blocks notifications from Porchlight. Allow them in its settings, and try again.
          </Trans>
        </Alert>
      ) : (
        <Failure error={on.error} />
      )}
      <Failure error={off.error} />
    </Section>
  );
}

/** That a device of theirs can't be notified any more. */
export function EndedDevice({ since }: { since: string }) {
  const queries = useQueryClient();
  const off = useDeletePushSubscription({
    mutation: {
      onSuccess: async () =>
        Promise.all([
          queries.invalidateQueries({ queryKey: getGetPushSubscriptionQueryKey() }),
          queries.invalidateQueries({ queryKey: getGetAttentionQueryKey() }),
        ]),
    },
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <Alert kind="error">{t`A device of yours gets no notifications since ${{ time: dayAndTime(since) }}.`}</Alert>
      <Button look="quiet" busy={off.isPending} onClick={() => off.mutate()}>
        <Trans>Switch off</Trans>
      </Button>
      <Failure error={off.error} />
    </div>
  );
}
