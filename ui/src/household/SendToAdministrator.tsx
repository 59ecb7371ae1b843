import { Trans } from "@lingui/react/macro";
import { useRef } from "react";

import { canShare, share } from "./ShareButton";
import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";

interface SendToAdministratorProps {
  /** What only the administrator can do. */
  sentence: string;
  /** What is sent after it: how that is done. */
  how: string;
}

export function SendToAdministrator({ sentence, how }: SendToAdministratorProps) {
  const shown = useRef<HTMLParagraphElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  const message = `${sentence} ${how}`;
  const send = () => (canShare() ? share({ title: "Porchlight", text: message }) : copy(message));
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3">
      <p ref={shown} className="[overflow-wrap:anywhere]">
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
