import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { ConfirmAddress } from "./ConfirmAddress";
import { LinkAccount } from "./LinkAccount";
import { Failure } from "../api/Failure";
import {
  getGetAddressQueryKey,
  useAskForAddress,
  useGetAddress,
  useGetSignInMethods,
  useStopAddressChange,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { atRelativeTime } from "../format/dates";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { useFocusAfterForm, revealed } from "../ui/focus";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { EmailField } from "../ui/EmailField";
import { Notice } from "../ui/Notice";

/** The guardian's own address, and changing it. */
export function YourAddress() {
  const query = useGetAddress();
  const sendsEmail = useGetSignInMethods().data?.data.email_link;
  return (
    <Section heading={t`Your email address`}>
      <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-11"]} /> }}>
        {({ data }) => (
          <>
            <p className="[overflow-wrap:anywhere]">{data.email}</p>
            <ConfirmAddress />
            <LinkAccount />
            {data.change !== undefined && <PendingChange from={data.email} change={data.change} />}
            {sendsEmail === true && data.change === undefined && <ChangeAddress />}
            {sendsEmail === false && (
              <p className="max-w-[60ch] text-muted">
                <Trans>
                  This server sends no emails. The person who set it up can change your address (
                  <code>porchlight guardian change-email</code>).
                </Trans>
              </p>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}

function useInvalidateAddress() {
  const queries = useQueryClient();
  return async () => queries.invalidateQueries({ queryKey: getGetAddressQueryKey() });
}

/** The change that waits for an answer, or for a day to pass. */
function PendingChange({ from, change }: { from: string; change: components["schemas"]["AddressChange"] }) {
  const invalidateAddress = useInvalidateAddress();
  const stop = useStopAddressChange({ mutation: { onSuccess: invalidateAddress } });
  const due = atRelativeTime(change.due_at, new Date());
  return (
    <Notice>
      <p className="[overflow-wrap:anywhere]" role="status">
        {change.answered
          ? t`It becomes ${{ email: change.email }} ${due}, unless it is stopped here or from the email to ${from}.`
          : t`We sent an email to ${{ email: change.email }}. Open its link and confirm the address: then it takes effect, ${due} at the earliest.`}
      </p>
      <Button look="plain" busy={stop.isPending} onClick={() => stop.mutate()}>
        <Trans>Stop the change</Trans>
      </Button>
      <Failure error={stop.error} />
    </Notice>
  );
}

function ChangeAddress() {
  const [asking, setAsking] = useState(false);
  const invalidateAddress = useInvalidateAddress();
  const ask = useAskForAddress({
    mutation: {
      onSuccess: async () => {
        await invalidateAddress();
        setAsking(false);
      },
    },
  });
  const submit = (typed: FormData) => {
    const email = typed.get("email");
    if (!ask.isPending && typeof email === "string") ask.mutate({ data: { email: email.trim() } });
  };
  const area = useFocusAfterForm<HTMLDivElement>(asking ? "address" : null);
  if (!asking) {
    return (
      <div ref={area}>
        <Button look="plain" onClick={() => setAsking(true)}>
          <Trans>Change your address</Trans>
        </Button>
      </div>
    );
  }
  return (
    <>
      <Form ref={revealed} onSubmit={submit} className="appear flex max-w-md flex-col gap-3">
        <EmailField
          label={t`Your new email address`}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
          autoFocus
        />
        <p className="text-sm text-muted">
          <Trans>Both addresses get an email; for 24 hours the one that you have now can stop it.</Trans>
        </p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={ask.isPending} busyLabel={BUSY}>
            <Trans>Send the emails</Trans>
          </Button>
          <Button look="plain" onClick={() => setAsking(false)}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
        <Failure error={ask.error} />
      </Form>
    </>
  );
}
