import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import type { Subscription } from "./settings";
import { getGetSubscriptionQueryOptions } from "../api/generated/client/subscription/subscription";
import { useChildren } from "../children/children";
import { paths } from "../paths";
import { Button } from "../ui/Button";
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
    <TopNotice to={page} link="Look at it">
      Porchlight was restored from a backup. Please look at how it reaches you.
    </TopNotice>
  );
}

/** What restoring a backup ended, until the guardian has chosen again. */
export function RestoredChoices({ restored }: { restored: NonNullable<Subscription["restored"]> }) {
  const { save } = useSave();
  return (
    <Notice className="flex max-w-[65ch] flex-col items-start gap-2 py-3">
      <p>
        Porchlight was restored from a backup. {endedSentence(restored)} The other choices are those of the
        backup. Please look at them, and send yourself a test.
      </p>
      <Button
        look="plain"
        busy={save.isPending}
        busyLabel="Saving..."
        onClick={() => save.mutate({ kind: "confirm" })}
      >
        These choices are right
      </Button>
      <SaveFailure save={save} />
    </Notice>
  );
}

function endedSentence({ quotes, notifications }: NonNullable<Subscription["restored"]>): string {
  if (quotes && notifications)
    return "Notifications on your phone, and quotes in your emails, were on then and are off now.";
  if (notifications) return "Notifications on your phone were on then and are off now.";
  if (quotes) return "Quotes in your emails were on then and are off now.";
  return "";
}
