import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import type { Subscription } from "./settings";
import { getGetSubscriptionQueryOptions } from "../api/generated/client/subscription/subscription";
import { useChildren } from "../children/children";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Notice, TopNotice } from "../ui/Notice";

/** After a sign-in: asks a guardian whose choices come from a backup to look at them. The data is prefetched then. */
export function RestoredNotice() {
  const { pathname } = useLocation();
  const { selected } = useChildren();
  const { data } = useQuery({ ...getGetSubscriptionQueryOptions(), enabled: false });
  if (data?.data.restored === undefined || selected === null) return null;
  const page = paths.section(selected.child_id, "subscription");
  if (pathname === page) return null;
  return (
    <TopNotice to={page} link={t`Choose how we tell you`}>
      {restoredSentence()}
    </TopNotice>
  );
}

/** What restoring a backup ended, until the guardian has chosen again. */
export function RestoredChoices({ restored }: { restored: NonNullable<Subscription["restored"]> }) {
  const { save } = useSave();
  return (
    <Notice className="flex max-w-[65ch] flex-col items-start gap-2 py-3">
      <p>
        {restoredSentence()} {endedSentence(restored)}{" "}
        <Trans>Please look at your choices, and send yourself a test.</Trans>
      </p>
      <Button
        look="plain"
        busy={save.isPending}
        busyLabel={BUSY}
        onClick={() => save.mutate({ kind: "confirm" })}
      >
        <Trans>These choices are right</Trans>
      </Button>
      <SaveFailure save={save} />
    </Notice>
  );
}

function restoredSentence(): string {
  return t`Porchlight was restored from a backup.`;
}

function endedSentence({ quotes, notifications }: NonNullable<Subscription["restored"]>): string {
  if (notifications)
    return quotes
      ? t`Off since then: notifications on your phone and quotes in your emails.`
      : t`Off since then: notifications on your phone.`;
  return quotes ? t`Off since then: quotes in your emails.` : "";
}
