import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";

import { Failure } from "../api/Failure";
import {
  getGetArrivalsQueryKey,
  useGetArrivals,
  useSendTest,
} from "../api/generated/client/subscription/subscription";
import type { components } from "../api/generated/schema";
import { dayAndTime } from "../format/dates";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";

type Channel = components["schemas"]["TestedChannel"];

/** Whether the guardian's messages arrive by this channel, and a test of it. */
export function Arrival({ channel }: { channel: Channel }) {
  const arrivals = useGetArrivals().data?.data[channel];
  const queries = useQueryClient();
  const test = useSendTest({
    mutation: { onSettled: async () => queries.invalidateQueries({ queryKey: getGetArrivalsQueryKey() }) },
  });
  const outcome = test.data?.data;
  return (
    <div className="flex flex-col items-start gap-2">
      {arrivals?.refused !== undefined && (
        <Alert kind="error">
          {refusedSentence(channel, dayAndTime(arrivals.refused.since))} {arrivals.refused.why}
        </Alert>
      )}
      {arrivals?.refused === undefined && arrivals?.taken_at !== undefined && (
        <p className="text-sm text-muted">{takenSentence(channel, dayAndTime(arrivals.taken_at))}</p>
      )}
      <Button
        look="quiet"
        busy={test.isPending}
        busyLabel={BUSY}
        onClick={() => test.mutate({ data: { channel } })}
      >
        {channel === "email" ? t`Send me a test email` : t`Send a test to my phone`}
      </Button>
      {outcome !== undefined && <Alert kind={outcome.taken ? "success" : "error"}>{outcome.outcome}</Alert>}
      <Failure error={test.error} />
    </div>
  );
}

function refusedSentence(channel: Channel, time: string): string {
  return channel === "email"
    ? t`No email reaches you since ${time}.`
    : t`No notification reaches you since ${time}.`;
}

function takenSentence(channel: Channel, time: string): string {
  return channel === "email"
    ? t`Your mail server last took an email on ${time}.`
    : t`The ntfy server last took a notification on ${time}.`;
}
