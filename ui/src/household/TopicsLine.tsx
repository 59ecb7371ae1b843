import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { paths } from "../paths";
import { type Attention, askedForList, refusedList } from "../rules/receipts";
import { TextLink } from "../ui/TextLink";

interface TopicsLineProps {
  childId: number;
  /** The assistant's. */
  name: string;
  attention: Attention;
}

/** What a guardian should know of an assistant's list of topics. Only a refused list needs attention: the others may still come. */
export function TopicsLine({ childId, name, attention: { kind, reason } }: TopicsLineProps) {
  const isRefused = kind === "refused";
  return (
    <p className={`text-sm ${isRefused ? "font-bold" : ""}`}>
      {kind === "silent" ? (
        <Trans>
          <bdi>{name}</bdi> doesn't have <ListLink childId={childId}>your topics</ListLink> yet.
        </Trans>
      ) : (
        <>
          <bdi>{name}</bdi>{" "}
          <ListLink childId={childId}>{isRefused ? refusedList(reason) : askedForList()}</ListLink>
        </>
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
