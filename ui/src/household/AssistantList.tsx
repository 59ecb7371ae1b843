import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { AssistantItem } from "./AssistantItem";
import { LeaveWithoutKey } from "./LeaveWithoutKey";
import { NewKey } from "./NewKey";
import { type ConnectedAssistant, useInvalidateHousehold } from "./queries";
import { useListConnections } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { type Child, useChildren } from "../children/children";
import { paths } from "../paths";
import { useReceipts } from "../rules/receipts";
import { ButtonLink } from "../ui/ButtonLink";
import { Loading } from "../ui/Loading";
import { Skeleton } from "../ui/Skeleton";
import { onlyConnected } from "../children/only-connected";

interface AssistantListProps {
  child: Child;
  household: components["schemas"]["Household"];
}

export function AssistantList({ child, household }: AssistantListProps) {
  const { list } = useChildren();
  const ofChild = household.assistants.filter(({ children: ids }) => ids.includes(child.child_id));
  const [shown, setShown] = useState<ConnectedAssistant | null>(null);
  const invalidateHousehold = useInvalidateHousehold();
  const children = list.kind === "loaded" ? list.children : [];
  // The child's events say when it changes.
  const connections = useListConnections(child.child_id);
  const receipts = useReceipts(child.child_id);
  const show = (connected: ConnectedAssistant) => {
    setShown(connected);
    void invalidateHousehold();
  };
  // Their lines would push what stands below them from under a finger.
  if (ofChild.length > 0 && (connections.isPending || receipts.isPending)) {
    return (
      <Loading>
        <Skeleton shapes={ofChild.map(() => "h-24")} />
      </Loading>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {ofChild.length === 0 ? (
        <div className="flex max-w-[60ch] flex-col gap-2 text-muted">
          <p>
            <Trans>No assistant connected.</Trans>
          </p>
          <p>{onlyConnected()}</p>
        </div>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {ofChild.map((assistant) => (
            <AssistantItem
              key={assistant.assistant_id}
              assistant={assistant}
              child={child}
              siblings={children}
              household={household}
              connection={connections.data?.data.items.find(
                ({ assistant_id: id }) => id === assistant.assistant_id,
              )}
              receipts={receipts.data?.data.assistants ?? []}
              isKeyShown={shown?.assistant.assistant_id === assistant.assistant_id}
              onKey={show}
              onGone={() => {
                if (shown?.assistant.assistant_id === assistant.assistant_id) setShown(null);
              }}
            />
          ))}
        </ul>
      )}
      {shown !== null && (
        <>
          <NewKey connected={shown} siblings={children} household={household} onKept={() => setShown(null)} />
          <LeaveWithoutKey />
        </>
      )}
      {household.guardians_manage && shown === null && (
        <ButtonLink look="plain" to={paths.connect(child.child_id)} className="self-start">
          <Trans>Connect an assistant</Trans>
        </ButtonLink>
      )}
    </div>
  );
}
