import { useState } from "react";
import { useLocation } from "react-router";

import { AssistantItem } from "./AssistantItem";
import { ConnectForm } from "./ConnectForm";
import { FirstWords } from "./FirstWords";
import { NewKey } from "./NewKey";
import { type ConnectedAssistant, type OwnAssistant, useInvalidateHousehold } from "./queries";
import { useListConnections } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { AskBeforeLeaving } from "../children/AskBeforeLeaving";
import { type Child, useChildren } from "../children/children";
import { attentionOf, useReceipts } from "../rules/receipts";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";
import { historyState } from "../ui/history-state";

interface AssistantListProps {
  child: Child;
  household: components["schemas"]["Household"];
}

export function AssistantList({ child, household }: AssistantListProps) {
  const { list } = useChildren();
  const { connects } = historyState(useLocation().state);
  const ofChild = household.assistants.filter(({ children: ids }) => ids.includes(child.child_id));
  // Not when a guardian comes back to the page after connecting the first one.
  const [connecting, setConnecting] = useState(connects && ofChild.length === 0);
  const [shown, setShown] = useState<ConnectedAssistant | null>(null);
  /** The id of the assistant that was connected last. */
  const [awaitedId, setAwaitedId] = useState<string | null>(null);
  const invalidateHousehold = useInvalidateHousehold();
  const children = list.kind === "loaded" ? list.children : [];
  // The child's events say when it changes.
  const connections = useListConnections(child.child_id).data?.data.items ?? [];
  const receipts = useReceipts(child.child_id).data?.data.assistants ?? [];
  const connectionOf = (id: string) => connections.find(({ assistant_id: of }) => of === id);
  const show = (connected: ConnectedAssistant) => {
    setConnecting(false);
    setShown(connected);
    void invalidateHousehold();
  };
  const connected = (made: ConnectedAssistant) => {
    setAwaitedId(made.assistant.assistant_id);
    show(made);
  };
  /** A new assistant cannot have connected yet. */
  const isExpected = ({ assistant_id: id }: OwnAssistant) =>
    id === awaitedId && connectionOf(id)?.heard_at === undefined;
  const awaited = ofChild.find(({ assistant_id: id }) => id === awaitedId);
  const area = useFocusAfterForm<HTMLDivElement>(connecting ? "connect" : null);
  return (
    <div ref={area} className="flex flex-col gap-4">
      {ofChild.length === 0 ? (
        <div className="flex max-w-[60ch] flex-col gap-2 text-muted">
          <p>
            No assistant talks with <bdi>{child.name}</bdi> yet.
          </p>
          <p>Porchlight sees only assistants connected here. It can't see the ChatGPT app.</p>
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
              connection={connectionOf(assistant.assistant_id)}
              attention={isExpected(assistant) ? null : attentionOf(assistant.name, receipts, new Date())}
              isAwaited={assistant.assistant_id === awaitedId}
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
          <AskBeforeLeaving title="Leave without the key?" stay="Stay here">
            The key of <bdi>{shown.assistant.name}</bdi> is shown only now. If you have not saved it, you need
            to make a new one.
          </AskBeforeLeaving>
        </>
      )}
      {awaited !== undefined && (
        <FirstWords
          key={awaited.assistant_id}
          childId={child.child_id}
          assistant={awaited}
          connection={connectionOf(awaited.assistant_id)}
        />
      )}
      {household.guardians_manage && connecting && (
        <ConnectForm
          child={child}
          siblings={children}
          household={household}
          onConnected={connected}
          onCancel={() => setConnecting(false)}
        />
      )}
      {household.guardians_manage && !connecting && shown === null && (
        <Button look="plain" data-opens="connect" className="self-start" onClick={() => setConnecting(true)}>
          Connect an assistant
        </Button>
      )}
    </div>
  );
}
