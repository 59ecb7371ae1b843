import { Trans } from "@lingui/react/macro";

import { paths } from "../paths";
import { TextLink } from "../ui/TextLink";

export function ChooseHow({ childId }: { childId: number }) {
  return (
    <TextLink to={paths.section(childId, "subscription")}>
      <Trans>Choose how we tell you</Trans>
    </TextLink>
  );
}
