import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { otherGuardians, whoSees } from "./guardians";
import { InviteForm } from "./InviteForm";
import { InvitationItem } from "./RequestItems";
import { waitsForAnswer } from "./requests";
import { useGetRequests } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { type Child, useChildren } from "../children/children";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";
import { Section } from "../ui/Section";

interface GuardiansProps {
  child: Child;
  household: components["schemas"]["Household"];
}

/** The child's guardians, pending invitations, and inviting another guardian. */
export function Guardians({ child, household }: GuardiansProps) {
  const { list } = useChildren();
  const [inviting, setInviting] = useState(false);
  const requests = useGetRequests();
  const invitations = (requests.data?.data.invitations ?? []).filter(
    (invitation) => invitation.children.includes(child.child_id) && !waitsForAnswer(invitation),
  );
  const area = useFocusAfterForm<HTMLElement>(inviting ? "invite" : null);
  const isAlone = otherGuardians(child, household.children).length === 0;
  return (
    <Section heading={t`Guardians`} ref={area}>
      <p className="[overflow-wrap:anywhere]">
        {whoSees(child, household.children)}.
        {isAlone && (
          <>
            {" "}
            <Trans>Whoever runs this server can read its files.</Trans>
          </>
        )}
      </p>
      {invitations.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {invitations.map((invitation) => (
            <InvitationItem key={invitation.invitation_id} invitation={invitation} />
          ))}
        </ul>
      )}
      {household.guardians_manage && inviting && (
        <InviteForm
          child={child}
          siblings={list.kind === "loaded" ? list.children : []}
          onClose={() => setInviting(false)}
        />
      )}
      {household.guardians_manage && !inviting && (
        <Button look="plain" data-opens="invite" className="self-start" onClick={() => setInviting(true)}>
          <Trans>Invite another guardian</Trans>
        </Button>
      )}
    </Section>
  );
}
