import { t } from "@lingui/core/macro";

import { keepKey } from "./key-sentences";
import { AskBeforeLeaving } from "../children/AskBeforeLeaving";

/** While a key is shown, because that happens once. */
export function LeaveWithoutKey() {
  return <AskBeforeLeaving title={t`Leave without the key?`}>{keepKey()}</AskBeforeLeaving>;
}
