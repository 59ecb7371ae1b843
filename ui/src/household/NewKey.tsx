import { Trans } from "@lingui/react/macro";
import { useEffect, useRef } from "react";

import { AppSettings } from "./AppSettings";
import { Copyable } from "./Copyable";
import type { ConnectedAssistant } from "./queries";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { keepKey } from "./key-sentences";

interface NewKeyProps {
  connected: ConnectedAssistant;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  onKept: () => void;
}

/** An assistant's new key in place of an old one. It is shown until the parent confirms that it is saved. */
export function NewKey({ connected: { assistant, key }, siblings, household, onKept }: NewKeyProps) {
  const { name } = assistant;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const shown = (
    <Copyable text={key}>
      <Trans>Key:</Trans>
    </Copyable>
  );
  return (
    <div className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4 sm:p-5">
      <h2 ref={heading} tabIndex={-1} className="font-bold [overflow-wrap:anywhere]">
        <Trans>
          The key of <bdi>{name}</bdi>
        </Trans>
      </h2>
      <p>
        <Trans>Put it where the old one is.</Trans> {keepKey()}
      </p>
      {assistant.kind === "gateway" ? (
        <AppSettings assistant={assistant} siblings={siblings} household={household}>
          {shown}
        </AppSettings>
      ) : (
        shown
      )}
      <Button className="self-start" onClick={onKept}>
        <Trans>I've saved the key</Trans>
      </Button>
    </div>
  );
}
