import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useRef } from "react";

import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";

interface CopyableProps {
  text: string;
  className?: string;
  /** What it is. Rendered before it, and a part of the button's name. */
  children?: ReactNode;
}

export function Copyable({ text, className = "", children }: CopyableProps) {
  const id = useId();
  const shown = useRef<HTMLElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={`min-w-0 [overflow-wrap:anywhere] ${className}`}>
        <span id={`${id}-label`}>{children}</span>{" "}
        <code ref={shown} id={id}>
          {text}
        </code>
      </p>
      <Button look="plain" about={children === undefined ? id : `${id}-label`} onClick={() => void copy()}>
        <Trans>Copy</Trans>
      </Button>
      <span role="status" className="text-sm text-muted">
        {announcement}
      </span>
    </div>
  );
}
