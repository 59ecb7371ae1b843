import { Choice } from "./Choice";
import type { Settings } from "./settings";

/** The administrator's webhook, which the guardian can refuse. */
export function Webhook({ host, settings }: { host: string; settings: Settings }) {
  return (
    <>
      <p className="max-w-[65ch] [overflow-wrap:anywhere]">
        The person who set up this server also sends alerts to {host}: what kind it is, when, and about which
        child, as a number. No name and no words.
      </p>
      <Choice
        checked={settings.webhook_refused}
        change={(refused) => ({ kind: "webhook", refused })}
        hint="Neither your own, nor those that belong to all guardians."
      >
        Send no alerts about my children there
      </Choice>
    </>
  );
}
