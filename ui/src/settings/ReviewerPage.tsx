import { msg, t } from "@lingui/core/macro";

import { SettingsPart } from "./SettingsPart";
import { childPage } from "../children/child-page";
import { ReviewerSection } from "../reviewer/ReviewerSection";

export const ReviewerPage = childPage(msg`AI reader`, ({ child }) => (
  <SettingsPart childId={child.child_id} heading={t`AI reader`}>
    <ReviewerSection child={child} />
  </SettingsPart>
));
