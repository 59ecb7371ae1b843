import { Link } from "react-router";

import { ChangesSection } from "./ChangesSection";
import { TimesSection } from "./TimesSection";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { PeopleSection } from "../household/PeopleSection";
import { paths } from "../paths";
import { RetentionSection } from "../retention/RetentionSection";
import { PageHeading } from "../ui/PageHeading";

export const SettingsPage = childPage("App Settings", ChildSettings);

function ChildSettings({ child }: { child: Child }) {
  return (
    <div className="flex flex-col gap-8">
      <PageHeading>App Settings</PageHeading>
      <TimesSection child={child} />
      <PeopleSection child={child} />
      <RetentionSection child={child} />
      <section aria-labelledby="for-child" className="flex flex-col gap-3">
        <h2 id="for-child" className="text-lg font-bold">
          What <bdi>{child.name}</bdi> may know
        </h2>
        <p>
          A page in a child&apos;s words: what is kept, and who can read it.{" "}
          <Link
            to={paths.forChild(child.child_id)}
            className="font-bold text-primary underline underline-offset-4"
          >
            A page for <bdi>{child.name}</bdi>
          </Link>
        </p>
      </section>
      <ChangesSection childId={child.child_id} />
    </div>
  );
}
