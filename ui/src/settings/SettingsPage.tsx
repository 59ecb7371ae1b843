import { ChangesSection } from "./ChangesSection";
import { TimesSection } from "./TimesSection";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { PeopleSection } from "../household/PeopleSection";
import { PageHeading } from "../ui/PageHeading";

export const SettingsPage = childPage("App Settings", ChildSettings);

function ChildSettings({ child }: { child: Child }) {
  return (
    <div className="flex flex-col gap-8">
      <PageHeading>App Settings</PageHeading>
      <TimesSection child={child} />
      <PeopleSection child={child} />
      <ChangesSection childId={child.child_id} />
    </div>
  );
}
