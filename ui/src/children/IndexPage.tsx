import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";

import { findNamedChild, useChildren } from "./children";
import { ChildrenNotLoaded } from "./ChildrenNotLoaded";
import { findDeepLink, forgetDeepLink } from "../identity/deep-link";
import { childIdIn, startPage } from "../paths";
import { PageHeading } from "../ui/PageHeading";
import { Redirect } from "../ui/Redirect";

interface IndexPageProps {
  withoutChild: ReactNode;
}

/** Redirects to the page that was opened before signing in, or to the selected child's summary. */
export function IndexPage({ withoutChild }: IndexPageProps) {
  const { list, selected } = useChildren();
  const { search } = useLocation();
  const [deepLink] = useState(findDeepLink);
  useEffect(() => {
    if (list.kind === "loaded") forgetDeepLink();
  }, [list.kind]);

  if (list.kind !== "loaded") return <ChildrenNotLoaded list={list} />;
  if (deepLink !== null && findNamedChild(list, childIdIn(deepLink)) !== null) {
    return <Redirect to={deepLink} />;
  }
  if (selected !== null) return <Redirect to={startPage(search, selected.child_id)} />;
  return (
    <div className="flex flex-col gap-3 py-10">
      <PageHeading>{t`Welcome!`}</PageHeading>
      <p className="max-w-[60ch] text-muted">
        <Trans>No child information available. Please ensure a child is selected or configured.</Trans>
      </p>
      {withoutChild}
    </div>
  );
}
