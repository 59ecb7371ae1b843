import { ChevronLeftIcon } from "lucide-react";
import { Link } from "react-router";

/** The link above a page's heading to the page above it. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="-ms-1.5 flex min-h-11 items-center gap-1 self-start font-bold text-primary [overflow-wrap:anywhere]"
    >
      <ChevronLeftIcon className="size-5 shrink-0" />
      {children}
    </Link>
  );
}
