import { i18n } from "@lingui/core";
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
          {t`Nothing has arrived since ${{ time: dayAndTime(arrivals.refused.since) }}.`}{" "}
          {ofServer(arrivals.refused.why)}
        </Alert>
      )}
      {arrivals?.refused === undefined && arrivals?.taken_at !== undefined && (
        <p className="text-sm text-muted">{t`Last sent on ${{ time: dayAndTime(arrivals.taken_at) }}.`}</p>
      )}
      <Button
        look="quiet"
        busy={test.isPending}
        busyLabel={BUSY}
        onClick={() => test.mutate({ data: { channel } })}
      >
        {t`Send me a test`}
      </Button>
      {outcome !== undefined && (
        <Alert kind={outcome.taken ? "success" : "error"}>
          {outcome.taken ? t`A test is on its way.` : ofServer(outcome.outcome)}
        </Alert>
      )}
      <Failure error={test.error} />
    </div>
  );
}

/** What the server says, which is in English. */
function ofServer(sentence: string): string {
  return i18n.locale === "en" ? sentence : t`The server says in English: ${{ sentence }}`;
}
