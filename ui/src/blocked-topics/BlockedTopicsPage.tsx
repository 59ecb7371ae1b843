import { useNamedChild } from "../children/children";
import { NoChild } from "../children/NoChild";
import { plainText } from "../format/plain-text";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";

export function BlockedTopicsPage() {
  const child = useNamedChild();
  if (child === null) return <NoChild heading="Topic Block List" />;
  const heading = `Topic Block List for ${plainText(child.name)}`;
  return (
    <>
      <PageTitle page={heading} />
      <PageHeading>{heading}</PageHeading>
    </>
  );
}
