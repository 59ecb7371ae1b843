import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import { restoredSentence } from "./RestoredNotice";
import type { Subscription } from "./settings";
import { joinNames } from "../format/names";
import { BUSY, Button } from "../ui/Button";
import { Notice } from "../ui/Notice";

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

function endedSentence({ quotes, notifications }: NonNullable<Subscription["restored"]>): string {
  const off = [
    ...(notifications ? [t`Notifications on my phone`] : []),
    ...(quotes ? [t`Quotes and topics`] : []),
  ];
  return off.length === 0 ? "" : t`Off since then: ${{ what: joinNames(off) }}.`;
}
