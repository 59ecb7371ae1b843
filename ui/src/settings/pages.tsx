import { msg, t } from "@lingui/core/macro";

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

export const SettingsPage = childPage(msg`App Settings`, SettingsIndex);

export const TimesPage = childPage(msg`Times`, ({ child }) => (
  <SettingsPart childId={child.child_id} heading={t`Times`}>
    <TimesSection child={child} />
  </SettingsPart>
));

export const AssistantsPage = childPage(msg`Assistants`, ({ child }) => (
  <SettingsPart childId={child.child_id} heading={t`Assistants`}>
    <HouseholdView>{(household) => <AssistantList child={child} household={household} />}</HouseholdView>
  </SettingsPart>
));

export const ConnectPage = childPage(msg`Connect an assistant`, Connect);

export const PeoplePage = childPage(msg`People`, ({ child }) => (
  <SettingsPart childId={child.child_id} heading={t`People`}>
    <HouseholdView>{(household) => <Guardians child={child} household={household} />}</HouseholdView>
    <AccessLogSection childId={child.child_id} />
  </SettingsPart>
));

export const ProfilePage = childPage(msg`Profile`, ({ child }) => (
  <SettingsPart childId={child.child_id} heading={t`${{ name: child.name }}'s profile`}>
    <Profile child={child} />
  </SettingsPart>
));
