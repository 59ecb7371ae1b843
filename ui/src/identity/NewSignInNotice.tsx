import { Link, useLocation } from "react-router";

import { useIdentity } from "./identity";
import { paths } from "../paths";

/** Tells of sign-ins on other devices until the guardian says that it was them. The identity token brings the number. */
export function NewSignInNotice() {
  const { identity } = useIdentity();
  const { pathname } = useLocation();
  if (identity.kind !== "signed-in" || pathname === paths.signIns()) return null;
  const { new_sign_ins: count } = identity.guardian;
  if (count === undefined) return null;
  return (
    <p
      role="status"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-control bg-lamp-glow px-4 py-1.5 print:hidden"
    >
      {count === 1
        ? "Somebody signed in as you on another device."
        : `Somebody signed in as you on ${count} other devices.`}
      <Link
        to={paths.signIns()}
        className="flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Was it you?
      </Link>
    </p>
  );
}
