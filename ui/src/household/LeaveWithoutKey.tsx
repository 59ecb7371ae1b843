import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { AskBeforeLeaving } from "../children/AskBeforeLeaving";

/** While a key is shown, because that happens once. */
export function LeaveWithoutKey({ name }: { name: string }) {
  return (
    <AskBeforeLeaving title={t`Leave without the key?`}>
      <Trans>
        The key of <bdi>{name}</bdi> is shown only now.
      </Trans>
    </AskBeforeLeaving>
  );
}
