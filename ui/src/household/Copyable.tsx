import { type ReactNode, useRef } from "react";

import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";

interface CopyableProps {
  text: string;
  /** The label of the copy button. */
  label: string;
  className?: string;
  /** Rendered above it. */
  children?: ReactNode;
}

export function Copyable({ text, label, className = "", children }: CopyableProps) {
  const shown = useRef<HTMLElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={`min-w-0 [overflow-wrap:anywhere] ${className}`}>
        {children}
        <code ref={shown}>{text}</code>
      </p>
      <Button look="plain" onClick={() => void copy()}>
        {label}
      </Button>
      <span role="status" className="text-sm text-muted">
        {announcement}
      </span>
    </div>
  );
}
