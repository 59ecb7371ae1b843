import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { Child } from "../children/children";
import { Disclosure } from "../ui/Disclosure";
import { SendToAdministrator } from "../ui/SendToAdministrator";

/** For an app, while the server has no model behind its address. */
export function ModelFirst({ child: { name } }: { child: Child }) {
  return (
    <div className="flex flex-col gap-3">
      <SendToAdministrator
        sentence={t`Before ${name} can use an app such as Open WebUI, the person who looks after Porchlight must add an AI model.`}
        how={t`The command is porchlight upstream add. docs/admin/models.md explains it.`}
      />
      <Disclosure summary={t`Technical details`} summaryClassName="font-bold text-primary">
        <p className="max-w-[60ch] pb-2 text-sm">
          <Trans>
            <code>porchlight upstream add</code> adds a model's server, for example Ollama.
          </Trans>
        </p>
      </Disclosure>
    </div>
  );
}
