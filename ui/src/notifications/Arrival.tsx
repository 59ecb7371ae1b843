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

type Schemas = components["schemas"];

const sentences = {
  email: {
    taken: "Your mail server last took an email",
    refused: "No email reaches you",
    test: "Send me a test email",
  },
  notification: {
    taken: "The ntfy server last took a notification",
    refused: "No notification reaches you",
    test: "Send a test to my phone",
  },
  push: {
    taken: "A device of yours was last notified",
    refused: "A device of yours gets no notifications",
    test: "Send a test to this device",
  },
} as const;

/** Whether the guardian's messages arrive by this channel, and a test of it. */
export function Arrival({ channel }: { channel: Schemas["TestedChannel"] }) {
  const arrivals = useGetArrivals().data?.data[channel];
  const queries = useQueryClient();
  const test = useSendTest({
    mutation: { onSettled: async () => queries.invalidateQueries({ queryKey: getGetArrivalsQueryKey() }) },
  });
  const outcome = test.data?.data;
  const { taken, refused, test: testLabel } = sentences[channel];
  return (
    <div className="flex flex-col items-start gap-2">
      {arrivals?.refused !== undefined && (
        <Alert kind="error">
          {refused} since {dayAndTime(arrivals.refused.since)}. {arrivals.refused.why}
        </Alert>
      )}
      {arrivals?.refused === undefined && arrivals?.taken_at !== undefined && (
        <p className="text-sm text-muted">
          {taken} on {dayAndTime(arrivals.taken_at)}.
        </p>
      )}
      <Button
        look="quiet"
        busy={test.isPending}
        busyLabel={BUSY}
        onClick={() => test.mutate({ data: { channel } })}
      >
        {testLabel}
      </Button>
      {outcome !== undefined && <Alert kind={outcome.taken ? "success" : "error"}>{outcome.outcome}</Alert>}
      <Failure error={test.error} />
    </div>
  );
}
