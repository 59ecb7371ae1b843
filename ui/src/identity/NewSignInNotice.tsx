import { Link, useLocation } from "react-router";

import { useIdentity } from "./identity";
import { paths } from "../paths";

/** Reports new sign-ins and recovery codes on other devices until dismissed. Both are claims of the identity token. */
export function NewSignInNotice() {
  const { identity } = useIdentity();
  const { pathname } = useLocation();
  if (identity.kind !== "signed-in" || pathname === paths.you()) return null;
  const { new_sign_ins: count, new_recovery_codes: newCodes } = identity.guardian;
  if (count === undefined && newCodes !== true) return null;
  return (
    <p
      role="status"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-control bg-lamp-glow px-4 py-1.5 print:hidden"
    >
      {newsSentence(count)}
      <Link
        to={paths.you()}
        className="flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Was it you?
      </Link>
    </p>
  );
}

/** If there are no new sign-ins, there are new codes; the linked page lists both. */
function newsSentence(count: number | undefined): string {
  switch (count) {
    case undefined:
      return "New recovery codes were made on another device.";
    case 1:
      return "Somebody signed in as you on another device.";
    default:
      return `Somebody signed in as you on ${count} other devices.`;
  }
}
