import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import type { Connection } from "./connections";
import type { OwnAssistant } from "./queries";
import { Failure } from "../api/Failure";
import {
  getGetAttentionQueryKey,
  useGetAttention,
  useSetAssistantNotInUse,
} from "../api/generated/client/attention/attention";
import { labelled } from "../format/labelled";
import { Button } from "../ui/Button";
import { useFocusAfterUndo } from "../ui/focus";
import { useToday } from "../ui/now";
import { UndoLine } from "../ui/UndoLine";

/** An assistant that connected within this time is in use. */
const IN_USE_MS = 24 * 60 * 60_000;

interface NotInUseProps {
  childId: number;
  assistant: OwnAssistant;
  /** Undefined while it is loading. */
  connection: Connection | undefined;
  /** The id of the assistant's name. */
  about: string;
}

/** Says that the guardian no longer uses an assistant that doesn't connect any more, or undoes it. */
export function NotInUse({ childId, assistant, connection, about }: NotInUseProps) {
  const { assistant_id: assistantId, name } = assistant;
  const queries = useQueryClient();
  const own = useGetAttention().data?.data.items.find(({ child_id: id }) => id === childId);
  const now = useToday();
  const isUnused =
    own?.sees.assistants.some((it) => it.assistant_id === assistantId && it.not_in_use) === true;
  const isMissed = own?.state === "silent" && own.assistant?.assistant_id === assistantId;
  const heardAt = connection?.heard_at;
  const isQuiet = heardAt !== undefined && now.getTime() - Date.parse(heardAt) > IN_USE_MS;
  const change = useSetAssistantNotInUse({
    mutation: { onSuccess: async () => queries.invalidateQueries({ queryKey: getGetAttentionQueryKey() }) },
  });
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isUnused);
  const put = (notInUse: boolean) => {
    press();
    change.mutate({ childId, assistantId, data: { not_in_use: notInUse } });
  };
  if (!isUnused && !isMissed && !isQuiet) return null;
  return (
    <div ref={area}>
      {isUnused ? (
        <UndoLine disabled={change.isPending} onUndo={() => put(false)}>
          {labelled(name, t`Not in use`)}
        </UndoLine>
      ) : (
        <Button look="plain" about={about} busy={change.isPending} onClick={() => put(true)}>
          <Trans>Not in use</Trans>
        </Button>
      )}
      <Failure error={change.error} />
    </div>
  );
}
