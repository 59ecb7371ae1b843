import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";

import { getGetRecoveryCodesQueryOptions } from "../api/generated/client/identity/identity";
import { areCodesUnkept } from "./kept-codes";
import { paths } from "../paths";

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
  if (data.data.made_at !== undefined && !areCodesUnkept(guardianId)) return null;
  return (
    <p className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-control bg-lamp-glow px-4 py-1.5 print:hidden">
      Keep ten recovery codes: they let you in when no email arrives.
      <Link
        to={paths.you()}
        className="flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Get them
      </Link>
    </p>
  );
}
