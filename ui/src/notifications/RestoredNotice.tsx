import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import { getGetSubscriptionQueryOptions } from "../api/generated/client/subscription/subscription";
import { useChildren } from "../children/children";
import { paths } from "../paths";
import { TopNotice } from "../ui/Notice";

/** After a sign-in: asks a guardian whose choices come from a backup to look at them. The data is prefetched then. */
export function RestoredNotice() {
  const { pathname } = useLocation();
  const { selected } = useChildren();
  const { data } = useQuery({ ...getGetSubscriptionQueryOptions(), enabled: false });
  if (data?.data.restored === undefined || selected === null) return null;
  const page = paths.section(selected.child_id, "subscription");
  if (pathname === page) return null;
  return (
    <TopNotice to={page} link={t`Choose how we tell you`}>
      {restoredSentence()}
    </TopNotice>
  );
}

export function restoredSentence(): string {
  return t`Porchlight was restored from a backup.`;
}
