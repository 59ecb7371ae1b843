import { t } from "@lingui/core/macro";
import { useLocation } from "react-router";

import { useIdentity } from "./identity";
import { paths } from "../paths";
import { TopNotice } from "../ui/Notice";
import { codesMadeElsewhere, signedInElsewhere } from "./not-you";

/** Reports new sign-ins and recovery codes on other devices until dismissed. Both are claims of the identity token. */
export function NewSignInNotice() {
  const { identity } = useIdentity();
  const { pathname } = useLocation();
  if (identity.kind !== "signed-in" || pathname === paths.you()) return null;
  const { new_sign_ins: count, new_recovery_codes: newCodes } = identity.guardian;
  if (count === undefined && newCodes !== true) return null;
  return (
    <TopNotice role="status" to={paths.you()} link={t`Was it you?`}>
      {newsSentence(count)}
    </TopNotice>
  );
}

/** If there are no new sign-ins, there are new codes; the linked page lists both. */
function newsSentence(count: number | undefined): string {
  return count === undefined ? codesMadeElsewhere() : signedInElsewhere(count);
}
