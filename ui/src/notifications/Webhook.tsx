import { Trans } from "@lingui/react/macro";

import { Choice } from "./Choice";
import type { Settings } from "./settings";

/** The administrator's webhook, which the guardian can refuse. */
export function Webhook({ host, settings }: { host: string; settings: Settings }) {
  return (
    <>
      <p className="max-w-[65ch] [overflow-wrap:anywhere]">
        <Trans>
          The person who set up this server also sends alerts to {host}: their kind, their time and the
          child&apos;s number, no name and no words.
        </Trans>
      </p>
      <Choice checked={settings.webhook_refused} change={(refused) => ({ kind: "webhook", refused })}>
        <Trans>Send no alerts about my children there</Trans>
      </Choice>
    </>
  );
}
