import { Link, useLocation } from "react-router";

import { useIdentity } from "./identity";
import { paths } from "../paths";

/** Tells of sign-ins and recovery codes on other devices until it is dismissed. The identity token brings both. */
export function NewSignInNotice() {
  const { identity } = useIdentity();
  const { pathname } = useLocation();
  if (identity.kind !== "signed-in" || pathname === paths.signIns()) return null;
  const { new_sign_ins: count, new_recovery_codes: newCodes } = identity.guardian;
  if (count === undefined && newCodes !== true) return null;
  return (
    <p
      role="status"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-control bg-lamp-glow px-4 py-1.5 print:hidden"
    >
      {newsSentence(count)}
      <Link
        to={paths.signIns()}
        className="flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Was it you?
      </Link>
    </p>
  );
}

/** Without new sign-ins there are new codes; the page tells of both. */
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
