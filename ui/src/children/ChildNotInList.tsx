import { EmptyState } from "../ui/EmptyState";
import { PageHeading } from "../ui/PageHeading";

/** Replaces a page whose address names a child that is not in the list. The heading is for screen readers. */
export function ChildNotInList({
  heading,
  sentence = "Select a child tab above...",
}: {
  heading: string;
  sentence?: string;
}) {
  return (
    <>
      <PageHeading className="sr-only">{heading}</PageHeading>
      <EmptyState>{sentence}</EmptyState>
    </>
  );
}
