import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { Child } from "../children/children";
import { paths } from "../paths";
import { TextLink } from "../ui/TextLink";
import { SendToAdministrator } from "../ui/SendToAdministrator";
import { onlyConnected } from "../children/only-connected";

/** What a guardian can do before there is an assistant. */
export function NothingToConnect({ child: { child_id: childId, name } }: { child: Child }) {
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-[60ch]">
        {onlyConnected()} <Trans>You can do this already:</Trans>
      </p>
      <ol className="flex max-w-[60ch] list-decimal flex-col gap-4 ps-6 marker:font-bold">
        <li>
          <Trans>
            Choose <Page to={paths.section(childId, "topic-blocklist")}>topics to block</Page>.
          </Trans>
        </li>
        <li>
          <Trans>
            Read <Page to={paths.forChild(childId)}>the page for {name}</Page> together.
          </Trans>
        </li>
        <li>
          <SendToAdministrator
            sentence={t`${name} needs an assistant that Porchlight can see, such as Open WebUI or Home Assistant.`}
            how={t`The command is porchlight assistant add. docs/plugins and docs/apps.md have the steps.`}
          />
        </li>
      </ol>
    </div>
  );
}

function Page({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <TextLink isInline to={to}>
      {children}
    </TextLink>
  );
}
