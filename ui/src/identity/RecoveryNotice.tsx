import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";

import { getGetRecoveryCodesQueryOptions } from "../api/generated/client/identity/identity";
import { paths } from "../paths";

/**
 * Offers their codes to a guardian who never had any. It makes no request of its own: the page that completed the sign-in
 * has asked, so that nothing moves when the answer comes.
 */
export function RecoveryNotice() {
  const { pathname } = useLocation();
  const { data } = useQuery({ ...getGetRecoveryCodesQueryOptions(), enabled: false });
  if (data === undefined || data.data.made_at !== undefined || pathname === paths.signIns()) return null;
  return (
    <p className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-control bg-lamp-glow px-4 py-1.5 print:hidden">
      Keep ten recovery codes: they let you in when no letter arrives.
      <Link
        to={paths.signIns()}
        className="flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Get them
      </Link>
    </p>
  );
}
