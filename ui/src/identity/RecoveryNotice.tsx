import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import { getGetRecoveryCodesQueryOptions } from "../api/generated/client/identity/identity";
import { areCodesUnkept } from "./kept-codes";
import { paths } from "../paths";
import { TopNotice } from "../ui/Notice";
import { tenCodes } from "./NewCodes";

/**
 * Offers recovery codes to a guardian who has none, or has not confirmed that they are saved. After a sign-in the data is
 * prefetched, so that the page doesn't shift; after a reload only App Settings requests it.
 */
export function RecoveryNotice({ guardianId }: { guardianId: string }) {
  const { pathname } = useLocation();
  const { data } = useQuery({
    ...getGetRecoveryCodesQueryOptions(),
    enabled: pathname.endsWith("/settings"),
    staleTime: Infinity,
  });
  if (data === undefined || pathname === paths.you()) return null;
  if (data.data.created_at !== undefined && !areCodesUnkept(guardianId)) return null;
  return (
    <TopNotice to={paths.you()} link={t`Make my codes`}>
      {tenCodes()}
    </TopNotice>
  );
}
