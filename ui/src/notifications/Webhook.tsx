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
        hint="Then neither your own alerts go there, nor those that belong to all guardians of your children."
      >
        Send no alerts about my children there
      </Choice>
    </>
  );
}
