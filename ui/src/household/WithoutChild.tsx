import { Trans } from "@lingui/react/macro";

import { AddChild } from "./AddChild";
import { HouseholdView } from "./HouseholdView";
import { atRelativeTime } from "../format/dates";
import { Notice } from "../ui/Notice";
import { waitsForOthers } from "../identity/after-others";

/** The page of a guardian without a child. It redirects once there is one. */
export function WithoutChild() {
  return (
    <div className="flex flex-col gap-4">
      <HouseholdView>
        {(data) => (
          <>
            {data.accepted_invitation_at !== undefined && (
              <PendingInvitation acceptedAt={data.accepted_invitation_at} />
            )}
            {data.guardians_manage && <AddChild look="primary" />}
          </>
        )}
      </HouseholdView>
    </div>
  );
}

/** An accepted invitation that the child's other guardians have not confirmed. */
function PendingInvitation({ acceptedAt }: { acceptedAt: string }) {
  return (
    <Notice className="max-w-[60ch] py-3">
      <Trans>You accepted an invitation {{ time: atRelativeTime(acceptedAt, new Date()) }}.</Trans>{" "}
      {waitsForOthers()}
    </Notice>
  );
}
