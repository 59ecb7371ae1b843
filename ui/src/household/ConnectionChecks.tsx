import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CheckIcon, CircleIcon } from "lucide-react";

import { type Connection, checks } from "./connections";
import { labelled } from "../format/labelled";

/** What a plug-in has delivered so far, for the person who builds or repairs the assistant. */
export function ConnectionChecks({ connection }: { connection: Connection | undefined }) {
  return (
    <div className="flex flex-col gap-2">
      <p>
        <Trans>What has worked since this server last started:</Trans>
      </p>
      <ul className="flex flex-col gap-2">
        {checks.map(({ check, label }) => (
          <SeenOrNot key={check} label={i18n._(label)} isSeen={connection?.seen.includes(check) === true} />
        ))}
      </ul>
    </div>
  );
}

function SeenOrNot({ label, isSeen }: { label: string; isSeen: boolean }) {
  const Icon = isSeen ? CheckIcon : CircleIcon;
  return (
    <li className="flex items-center gap-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${isSeen ? "text-primary" : "text-muted"}`} />
      <span>{isSeen ? `${label} ✓` : labelled(label, t`not heard yet`)}</span>
    </li>
  );
}
