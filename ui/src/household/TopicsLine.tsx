import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { paths } from "../paths";
import type { Attention } from "../rules/receipts";
import { TextLink } from "../ui/TextLink";

interface TopicsLineProps {
  childId: number;
  /** The assistant's. */
  name: string;
  attention: Attention;
}

/** What a guardian should know of an assistant's list of topics. Only a refused list needs attention: the others may still come. */
export function TopicsLine({ childId, name, attention: { kind, reason } }: TopicsLineProps) {
  if (kind === "refused") {
    return (
      <p className="text-sm font-bold">
        <Trans>
          <bdi>{name}</bdi> can&apos;t take <ListLink childId={childId}>your topics</ListLink>.
        </Trans>{" "}
        <bdi>{reason}</bdi>
      </p>
    );
  }
  return (
    <p className="text-sm">
      {kind === "silent" ? (
        <Trans>
          <bdi>{name}</bdi> doesn't have <ListLink childId={childId}>your topics</ListLink> yet.
        </Trans>
      ) : (
        <Trans>
          <bdi>{name}</bdi> got <ListLink childId={childId}>your topics</ListLink>, but hasn't said that it
          uses them.
        </Trans>
      )}
    </p>
  );
}

function ListLink({ childId, children }: { childId: number; children: ReactNode }) {
  return (
    <TextLink isInline to={paths.section(childId, "topic-blocklist")} className="font-normal">
      {children}
    </TextLink>
  );
}
