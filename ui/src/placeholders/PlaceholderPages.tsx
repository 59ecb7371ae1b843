import { childPage } from "../children/child-page";
import { PageHeading } from "../ui/PageHeading";

export const SubscriptionPage = placeholder(
  "Subscription",
  "Porchlight is yours. There is nothing to subscribe to.",
);

function placeholder(heading: string, sentence: string) {
  return childPage(heading, () => (
    <div className="flex flex-col gap-3">
      <PageHeading>{heading}</PageHeading>
      <p className="max-w-[60ch] text-muted">{sentence}</p>
    </div>
  ));
}
