import { useNamedChild } from "../children/children";
import { ChildNotInList } from "../children/ChildNotInList";
import { PageHeading } from "../ui/PageHeading";

export function MetricsPage() {
  return <Placeholder heading="Metrics Page" sentence="This is the Metrics route." />;
}

export function ContextPage() {
  return (
    <Placeholder
      heading="Context"
      sentence="What the assistant knows about your child will stand here one day."
    />
  );
}

export function SettingsPage() {
  return <Placeholder heading="App Settings" sentence="There is nothing to set yet." />;
}

export function SubscriptionPage() {
  return (
    <Placeholder heading="Subscription" sentence="Porchlight is yours. There is nothing to subscribe to." />
  );
}

function Placeholder({ heading, sentence }: { heading: string; sentence: string }) {
  const child = useNamedChild();
  if (child === null) return <ChildNotInList heading={heading} />;
  return (
    <div className="flex flex-col gap-3">
      <PageHeading>{heading}</PageHeading>
      <p className="max-w-[60ch] text-muted">{sentence}</p>
    </div>
  );
}
