import { paths } from "../paths";
import { PageHeading } from "../ui/PageHeading";
import { TextLink } from "../ui/TextLink";

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-start gap-4 py-10">
      <PageHeading>404 - Page Not Found</PageHeading>
      <p>There is nothing at this address, or no longer.</p>
      <TextLink to={paths.index()} className="rounded-control font-normal">
        Go to the start page
      </TextLink>
    </div>
  );
}
