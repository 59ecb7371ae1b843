import { SettingsPart } from "./SettingsPart";
import { childPage } from "../children/child-page";
import { ReviewerSection } from "../reviewer/ReviewerSection";

export const ReviewerPage = childPage("AI reader", ({ child }) => (
  <SettingsPart childId={child.child_id} heading="AI reader">
    <ReviewerSection child={child} />
  </SettingsPart>
));
