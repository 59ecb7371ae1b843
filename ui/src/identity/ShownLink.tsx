import { Trans } from "@lingui/react/macro";
import { type ReactNode, useRef } from "react";

import { Panel } from "./Panel";
import type { components } from "../api/generated/schema";
import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";
import { QrCode } from "../ui/QrCode";

interface ShownLinkProps {
  heading: string;
  link: components["schemas"]["ShownLink"];
  /** Describes how long the link is valid, and for whom. */
  children: ReactNode;
  /** The buttons that close it. */
  actions: ReactNode;
}

/** A link and its QR code, for another device to scan. */
export function ShownLink({ heading, link, children, actions }: ShownLinkProps) {
  const shown = useRef<HTMLElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <Panel heading={heading}>
      <p className="max-w-[60ch]">{children}</p>
      {link.qr_code.length > 0 && <QrCode rows={link.qr_code} />}
      <code ref={shown} className="rounded-control bg-quiet px-3 py-2 text-sm [overflow-wrap:anywhere]">
        {link.link}
      </code>
      <div className="flex flex-wrap items-center gap-3">
        {actions}
        <Button look="plain" onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <span role="status" className="text-sm text-muted">
          {announcement}
        </span>
      </div>
    </Panel>
  );
}
