import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import type { Subscription } from "./settings";
import { getGetSubscriptionQueryOptions } from "../api/generated/client/subscription/subscription";
import { useChildren } from "../children/children";
import { joinNames } from "../format/names";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Notice, TopNotice } from "../ui/Notice";

/** After a sign-in: asks a guardian whose choices come from a backup to look at them. The data is prefetched then. */
export function RestoredNotice() {
  const { pathname } = useLocation();
  const { selected } = useChildren();
  const { data } = useQuery({ ...getGetSubscriptionQueryOptions(), enabled: false });
  if (data?.data.restored === undefined || selected === null) return null;
  const page = paths.section(selected.child_id, "subscription");
  if (pathname === page) return null;
  return (
    <TopNotice to={page} link="Look at how it reaches you">
      {RESTORED}
    </TopNotice>
  );
}

/** What restoring a backup ended, until the guardian has chosen again. */
export function RestoredChoices({ restored }: { restored: NonNullable<Subscription["restored"]> }) {
  const { save } = useSave();
  return (
    <Notice className="flex max-w-[65ch] flex-col items-start gap-2 py-3">
      <p>
        {RESTORED} {endedSentence(restored)} Please look at your choices, and send yourself a test.
      </p>
      <Button
        look="plain"
        busy={save.isPending}
        busyLabel={BUSY}
        onClick={() => save.mutate({ kind: "confirm" })}
      >
        These choices are right
      </Button>
      <SaveFailure save={save} />
    </Notice>
  );
}

const RESTORED = "Porchlight was restored from a backup.";

function endedSentence({ quotes, notifications }: NonNullable<Subscription["restored"]>): string {
  const ended = [
    ...(notifications ? ["notifications on your phone"] : []),
    ...(quotes ? ["quotes in your emails"] : []),
  ];
  return ended.length === 0 ? "" : `Off since then: ${joinNames(ended)}.`;
}
