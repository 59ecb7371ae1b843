import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { paths } from "../paths";
import { PageHeading } from "../ui/PageHeading";
import { TextLink } from "../ui/TextLink";

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-start gap-4 py-10">
      <PageHeading>{t`404 - Page Not Found`}</PageHeading>
      <p>
        <Trans>There is nothing at this address, or no longer.</Trans>
      </p>
      <TextLink to={paths.index()} className="rounded-control font-normal">
        <Trans>Open Porchlight</Trans>
      </TextLink>
    </div>
  );
}
