import { Trans } from "@lingui/react/macro";
import { BellIcon } from "lucide-react";
import { Link } from "react-router";

import { usePhraseDraft } from "./draft";
import { isShortTopic } from "./phrases";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { paths } from "../paths";

/** Offers to watch for a topic that was just blocked. It is tried on the page of alerts first; its words are in no address. */
export function AlertMe({ child: { child_id: childId }, topic }: { child: Child; topic: string }) {
  const { tryIt } = usePhraseDraft(childId);
  if (!isShortTopic(topic)) return null;
  return (
    <Link
      to={paths.phrases(childId)}
      onClick={() => tryIt({ words: topic, side: "either" })}
      className="appear inline-flex min-h-10 max-w-full items-center gap-2 rounded-control bg-page py-1 pe-3 font-bold text-primary underline underline-offset-4 hover:bg-quiet"
    >
      <BellIcon className="size-5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <Trans>Alert me if &quot;{{ topic: isolated(topic) }}&quot; is said</Trans>
      </span>
    </Link>
  );
}
