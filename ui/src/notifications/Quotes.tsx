import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { Choice } from "./Choice";
import { type Subscription, onSince } from "./settings";

/** Whether e-mails have what was said. Switching it on requires a step-up. */
export function Quotes({ subscription }: { subscription: Subscription }) {
  const { settings, quotes_since: since } = subscription;
  return (
    <>
      <Choice
        checked={settings.quotes}
        change={(on) => ({ kind: "quotes", on })}
        hint={t`Your email provider can then read what was said and your phrases, and so can everybody who opens your mailbox.`}
      >
        <Trans>Include quotes and topics in my emails</Trans>
      </Choice>
      {since !== undefined && <p className="max-w-[65ch] text-sm text-muted">{onSince(since)}</p>}
    </>
  );
}
