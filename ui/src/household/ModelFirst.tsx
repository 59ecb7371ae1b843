import { t } from "@lingui/core/macro";

import type { Child } from "../children/children";
import { SendToAdministrator } from "../ui/SendToAdministrator";

/** For an app, while the server has no model behind its address. */
export function ModelFirst({ child: { name } }: { child: Child }) {
  return (
    <SendToAdministrator
      sentence={t`Before ${name} can use an app such as Open WebUI, the person who looks after Porchlight must add an AI model.`}
      how={t`The command is porchlight upstream add. docs/admin/models.md explains it.`}
    />
  );
}
