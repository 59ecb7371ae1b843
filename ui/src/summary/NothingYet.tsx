import { t } from "@lingui/core/macro";

import { useTalkStatus } from "./queries";
import type { Child } from "../children/children";
import { ConnectLink } from "../children/ConnectFirst";

/** The first step, for a child without an assistant. */
export function NothingYet({ child: { child_id: childId } }: { child: Child }) {
  const { data } = useTalkStatus(childId);
  if (data?.data.state !== "no_assistant") return null;
  return (
    <section aria-label={t`First step`} className="flex flex-col items-start">
      <ConnectLink childId={childId} />
    </section>
  );
}
