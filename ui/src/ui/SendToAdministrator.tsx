import { Trans } from "@lingui/react/macro";
import { useRef } from "react";

import { Button } from "./Button";
import { useCopyToClipboard } from "./copy";
import { canShare, share } from "./share";

interface SendToAdministratorProps {
  /** What only the administrator can do. */
  sentence: string;
  /** The sentence's. */
  id?: string;
  /** What is sent after it: how that is done. */
  how: string;
}

export function SendToAdministrator({ sentence, id, how }: SendToAdministratorProps) {
  const shown = useRef<HTMLParagraphElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  const message = `${sentence} ${how}`;
  const send = () => (canShare() ? share({ title: "Porchlight", text: message }) : copy(message));
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3">
      <p ref={shown} id={id} className="[overflow-wrap:anywhere]">
        {sentence}
      </p>
      <Button look="plain" onClick={() => void send()}>
        <Trans>Send this to the person who looks after Porchlight</Trans>
      </Button>
      <span role="status" className="text-sm text-muted">
        {announcement}
      </span>
    </div>
  );
}
