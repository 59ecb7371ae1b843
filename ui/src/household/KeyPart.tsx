import { Trans } from "@lingui/react/macro";
import { useRef } from "react";

import { Copyable } from "./Copyable";
import type { ConnectedAssistant, OwnAssistant } from "./queries";
import { Failure } from "../api/Failure";
import { useRotateAssistant } from "../api/generated/client/household/household";
import { Button } from "../ui/Button";
import { useFocusAfterChange } from "../ui/focus";
import { keepKey, keyWasShown } from "./key-sentences";

interface KeyPartProps {
  assistant: OwnAssistant;
  /** Null if it is shown no more, or was shown on another device. */
  assistantKey: string | null;
  /** Not if an assistant uses the present key. */
  mayRenew: boolean;
  onKey: (connected: ConnectedAssistant) => void;
  onSaved: () => void;
}

/** The key within the steps. Without it, a new one can be made as long as nothing uses the old one. */
export function KeyPart({ assistant, assistantKey, mayRenew, onKey, onSaved }: KeyPartProps) {
  const { assistant_id: assistantId } = assistant;
  const rotate = useRotateAssistant({
    mutation: {
      onSuccess: ({ data }) => onKey(data),
      // Don't cache the key.
      gcTime: 0,
    },
  });
  const part = useRef<HTMLDivElement>(null);
  useFocusAfterChange(assistantKey, () => part.current);
  return (
    <div ref={part} tabIndex={-1} className="my-2 flex flex-col items-start gap-2">
      {assistantKey === null ? (
        <>
          <p className="text-sm text-muted">{keyWasShown()}</p>
          {mayRenew && assistant.exclusive && (
            <Button look="plain" busy={rotate.isPending} onClick={() => rotate.mutate({ assistantId })}>
              <Trans>Make a new key</Trans>
            </Button>
          )}
          <Failure error={rotate.error} />
        </>
      ) : (
        <>
          <Copyable text={assistantKey}>
            <Trans>Key:</Trans>
          </Copyable>
          <p className="text-sm text-muted">{keepKey()}</p>
          <Button look="plain" onClick={onSaved}>
            <Trans>I've saved the key</Trans>
          </Button>
        </>
      )}
    </div>
  );
}
