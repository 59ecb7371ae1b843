import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { NameForm } from "./NameForm";
import { useInvalidateHousehold } from "./queries";
import { getListChildrenQueryKey } from "../api/generated/client/children/children";
import { useLeaveChild, useRequestChildDeletion } from "../api/generated/client/household/household";
import { failureSentence } from "../api/problem";
import { ifCancelled } from "../api/step-up";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { useFocusAfterForm } from "../ui/focus";
import { useMounted } from "../ui/mounted";

interface LeaveOrEraseProps {
  child: Child;
  /** Whether another guardian sees the child. */
  isShared: boolean;
}

export function LeaveOrErase({ child, isShared }: LeaveOrEraseProps) {
  const { child_id: childId, name } = child;
  const [asking, setAsking] = useState<"leave" | "erase" | null>(null);
  const queries = useQueryClient();
  const invalidateHousehold = useInvalidateHousehold();
  const navigate = useNavigate();
  const mounted = useMounted();
  const close = () => setAsking(null);
  const isOfChild = (key: unknown) => typeof key === "string" && key.includes(`/child/${childId}/`);
  const leave = useLeaveChild({
    mutation: {
      onSuccess: async () => {
        // If the guardian has navigated away meanwhile, don't redirect.
        const stays = !mounted.current;
        close();
        // Once the child isn't in the list, no page requests its data.
        await queries.invalidateQueries({ queryKey: getListChildrenQueryKey() });
        if (!stays) await navigate(paths.index());
        // The page may still be there while the next one opens.
        queries.removeQueries({ predicate: ({ queryKey }) => queryKey.some(isOfChild) });
        await invalidateHousehold();
      },
      onError: ifCancelled(close),
    },
  });
  const erase = useRequestChildDeletion({
    mutation: {
      onSuccess: async () => {
        close();
        await invalidateHousehold();
      },
    },
  });
  const ask = (what: "leave" | "erase") => {
    leave.reset();
    erase.reset();
    setAsking(what);
  };
  const area = useFocusAfterForm<HTMLDivElement>(asking);
  return (
    <div ref={area} className="flex flex-col gap-3">
      {asking === "erase" ? (
        <>
          <p className="max-w-[60ch]">
            {isShared ? (
              <Trans>
                The profile of {name} and all conversations are permanently deleted: once every other guardian
                has agreed, or seven days after each of them was shown it. Until then nothing changes, and
                each of you can stop it.
              </Trans>
            ) : (
              <Trans>
                The profile of {name} and all conversations are permanently deleted: in seven days. Until then
                nothing changes, and you can stop it.
              </Trans>
            )}
          </p>
          <NameForm
            label={t`To delete ${name}'s profile, type the name`}
            action={t`Delete`}
            busy={erase.isPending}
            refusal={failureSentence(erase.error)}
            onName={(typed) => erase.mutate({ childId, data: { name: typed } })}
            onCancel={close}
          />
        </>
      ) : (
        <div className="flex flex-col items-start gap-3">
          {isShared && (
            <Button look="plain" onClick={() => ask("leave")}>
              <Trans>Stop seeing {name}'s data</Trans>
            </Button>
          )}
          <Button look="danger" data-opens="erase" onClick={() => ask("erase")}>
            <Trans>Delete {name}'s profile and conversations</Trans>
          </Button>
        </div>
      )}
      {asking === "leave" && (
        <Confirmation
          title={t`Stop seeing ${name}'s data`}
          action={t`Stop seeing ${name}'s data`}
          busy={leave.isPending}
          failure={failureSentence(leave.error)}
          onConfirm={() => leave.mutate({ childId })}
          onClose={close}
        >
          <Trans>Only another guardian can invite you again.</Trans>
        </Confirmation>
      )}
    </div>
  );
}
