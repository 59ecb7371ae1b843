import { Profile } from "./Profile";
import { SettingsIndex } from "./SettingsIndex";
import { SettingsPart } from "./SettingsPart";
import { TimesSection } from "./TimesSection";
import { childPage } from "../children/child-page";
import { AssistantList } from "../household/AssistantList";
import { ConnectPage as Connect } from "../household/ConnectPage";
import { Guardians } from "../household/Guardians";
import { HouseholdView } from "../household/HouseholdView";
import { AccessLogSection } from "../access-log/AccessLogSection";

export const SettingsPage = childPage("App Settings", SettingsIndex);

export const TimesPage = childPage("Times", ({ child }) => (
  <SettingsPart childId={child.child_id} heading="Times">
    <TimesSection child={child} />
  </SettingsPart>
));

export const AssistantsPage = childPage("Assistants", ({ child }) => (
  <SettingsPart childId={child.child_id} heading="Assistants">
    <HouseholdView>{(household) => <AssistantList child={child} household={household} />}</HouseholdView>
  </SettingsPart>
));

export const ConnectPage = childPage("Connect an assistant", Connect);

export const PeoplePage = childPage("People", ({ child }) => (
  <SettingsPart childId={child.child_id} heading="People">
    <HouseholdView>{(household) => <Guardians child={child} household={household} />}</HouseholdView>
    <AccessLogSection childId={child.child_id} />
  </SettingsPart>
));

export const ProfilePage = childPage("Profile", ({ child }) => (
  <SettingsPart childId={child.child_id} heading={`${child.name}'s profile`}>
    <Profile child={child} />
  </SettingsPart>
));
