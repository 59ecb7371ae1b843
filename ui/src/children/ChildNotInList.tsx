import { EmptyState } from "../ui/EmptyState";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";

/** A child's page whose address names no child of the list. The heading is for those who listen. */
export function ChildNotInList({
  heading,
  sentence = "Select a child tab above...",
}: {
  heading: string;
  sentence?: string;
}) {
  return (
    <>
      <PageTitle page={heading} />
      <PageHeading className="sr-only">{heading}</PageHeading>
      <EmptyState>{sentence}</EmptyState>
    </>
  );
}
