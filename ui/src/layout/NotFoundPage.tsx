import { Link } from "react-router";

import { paths } from "../paths";
import { PageHeading } from "../ui/PageHeading";

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-start gap-4 py-10">
      <PageHeading>404 - Page Not Found</PageHeading>
      <Link
        to={paths.index()}
        className="flex min-h-11 items-center rounded-control text-primary underline underline-offset-4"
      >
        Go to the start page
      </Link>
    </div>
  );
}
