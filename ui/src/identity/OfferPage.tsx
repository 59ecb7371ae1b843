import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { isolated } from "../format/isolated";
import { paths } from "../paths";
import { Notice } from "../ui/Notice";
import { TextLink } from "../ui/TextLink";

/** Before words are looked for, the guardian is offered to tell the child. */
export function OfferPage({ childId, name }: { childId: number; name: string }) {
  return (
    <Notice className="mt-1 flex flex-col gap-1 pt-3 pb-1">
      <p>
        <Trans>
          Does <bdi>{name}</bdi> know who reads along?
        </Trans>
      </p>
      <TextLink to={paths.forChild(childId)} className="self-start">
        {t`A page for ${{ name: isolated(name) }}`}
      </TextLink>
    </Notice>
  );
}
