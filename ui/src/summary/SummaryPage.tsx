import { useNamedChild } from "../children/children";
import { NoChild } from "../children/NoChild";
import { plainText } from "../format/plain-text";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";

export function SummaryPage() {
  const child = useNamedChild();
  if (child === null) return <NoChild heading="Summary" />;
  const heading = `Summary for ${plainText(child.name)}`;
  return (
    <>
      <PageTitle page={heading} />
      <PageHeading>{heading}</PageHeading>
    </>
  );
}
