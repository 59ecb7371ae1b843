import { useState } from "react";

import { AssistantList } from "./AssistantList";
import { ChildNames } from "./ChildNames";
import { InviteForm } from "./InviteForm";
import { LeaveOrErase } from "./LeaveOrErase";
import { errorTexts } from "./queries";
import { InvitationItem } from "./RequestItems";
import { waitsForAnswer } from "./requests";
import { useGetHousehold, useListRequests } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { type Child, useChildren } from "../children/children";
import { atRelativeTime } from "../format/dates";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";
import { YourAddress } from "../identity/YourAddress";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";
import { Skeleton } from "../ui/Skeleton";

type GuardiansOfChild = components["schemas"]["GuardiansOfChild"];

function othersOf(child: Child, all: readonly GuardiansOfChild[]) {
  const guardians = all.find(({ child_id: id }) => id === child.child_id)?.guardians ?? [];
  return guardians.filter(({ is_you: isYou }) => !isYou);
}

/** Who sees a child, in a sentence; one that a guardian shares can have others whom nobody gave a name. */
function whoSees(child: Child, all: readonly GuardiansOfChild[]): string {
  const others = othersOf(child, all);
  if (others.length === 0)
    return `You are ${child.name}'s only guardian here. Whoever runs this server can read its files.`;
  const named = others.flatMap(({ name }) => plainText(name ?? "").trim() || []);
  const nameless = others.length - named.length;
  const counted = nameless === 1 ? ["another guardian"] : [`${nameless} other guardians`];
  const everybody = ["You", ...named, ...(nameless > 0 ? counted : [])];
  return `${joinNames(everybody)} see ${child.name}'s data.`;
}

interface GuardiansProps {
  child: Child;
  household: components["schemas"]["Household"];
}

/** The child's guardians, pending invitations, and inviting another guardian. */
function Guardians({ child, household }: GuardiansProps) {
  const { list } = useChildren();
  const [inviting, setInviting] = useState(false);
  const requests = useListRequests();
  const invitations = (requests.data?.data.invitations ?? []).filter(
    (invitation) => invitation.children.includes(child.child_id) && !waitsForAnswer(invitation),
  );
  const area = useFocusAfterForm<HTMLDivElement>(inviting ? "invite" : null);
  return (
    <div ref={area} className="flex flex-col gap-3">
      <p className="[overflow-wrap:anywhere]">{whoSees(child, household.children)}</p>
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
          Invite another guardian
        </Button>
      )}
    </div>
  );
}

/** The guardian's children, the child's guardians and its assistants. */
export function PeopleSection({ child }: { child: Child }) {
  const query = useGetHousehold();
  return (
    <section aria-labelledby="people" className="flex flex-col gap-5">
      <h2 id="people" className="text-lg font-bold">
        People and assistants
      </h2>
      <QueryView
        query={query}
        loading={{ sentence: "Loading people and assistants...", skeleton: <Skeleton shapes={["h-24"]} /> }}
        errorText={errorTexts.load}
      >
        {({ data: household }) => (
          <>
            {!household.guardians_manage && (
              <p className="max-w-[60ch] text-muted">
                On this server, the person who set it up adds children and connects assistants.
              </p>
            )}
            <Guardians key={`guardians of ${child.child_id}`} child={child} household={household} />
            <AssistantList child={child} household={household} />
            <YourAddress />
            {household.last_backup_at !== undefined && (
              <p className="text-sm text-muted">
                The last backup was made {atRelativeTime(household.last_backup_at, new Date())}.
              </p>
            )}
            {household.guardians_manage && (
              <>
                <ChildNames key={child.child_id} child={child} />
                <LeaveOrErase
                  key={`leave ${child.child_id}`}
                  child={child}
                  isShared={othersOf(child, household.children).length > 0}
                />
              </>
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}
