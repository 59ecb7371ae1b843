import { Trans } from "@lingui/react/macro";
import type { ComponentType, ReactNode } from "react";
import { useParams } from "react-router";

import { type Child, findNamedChild, useChildren } from "./children";
import { EmptyState } from "../ui/EmptyState";
import { type Words, inPagesLanguage } from "../ui/language";
import { PageHeading, TitleSubject } from "../ui/PageHeading";

/**
 * A page about the child in its address, remounted for each child. For a child that is not in the list it shows `sentence`,
 * and the heading for screen readers.
 */
export function childPage(
  heading: Words,
  Page: ComponentType<{ child: Child }>,
  sentence: ReactNode = <Trans>Select a child tab above...</Trans>,
) {
  return function ChildPage() {
    const child = findNamedChild(useChildren().list, useParams()["childId"]);
    if (child !== null) {
      return (
        <TitleSubject value={child.name}>
          <Page key={child.child_id} child={child} />
        </TitleSubject>
      );
    }
    return (
      <>
        <PageHeading className="sr-only">{inPagesLanguage(heading)}</PageHeading>
        <EmptyState>
          {sentence}
          <p className="pt-2">
            <Trans>The child of this address is not in your list, or no longer.</Trans>
          </p>
        </EmptyState>
      </>
    );
  };
}
