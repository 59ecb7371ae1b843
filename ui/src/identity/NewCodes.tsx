import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef } from "react";

import { useIdentity } from "./identity";
import { noteCodesKept, noteCodesShown } from "./kept-codes";
import { saveFile } from "../api/download";
import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";

/** What recovery codes are for. */
export function tenCodes(): string {
  return t`Ten spare codes in case you lose your phone. Each works once.`;
}

interface NewCodesProps {
  codes: readonly string[];
  /** Whether the confirmation is being sent. */
  busy?: boolean;
  onKept: () => void;
}

/** New codes, shown until the parent confirms that they are saved. */
export function NewCodes({ codes, busy = false, onKept }: NewCodesProps) {
  const { identity } = useIdentity();
  const guardianId = identity.kind === "signed-in" ? identity.guardian.id : null;
  useEffect(() => {
    if (guardianId !== null) noteCodesShown(guardianId);
  }, [guardianId]);
  const shown = useRef<HTMLOListElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  const lines = codes.map((code) => `${code}\n`).join("");
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        <Trans>They are shown only now: write them down, print or save them.</Trans>
      </p>
      <ol
        ref={shown}
        className="grid grid-cols-[repeat(auto-fill,minmax(20ch,1fr))] gap-x-4 gap-y-1.5 rounded-surface border border-line bg-surface p-4 font-mono tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button look="plain" onClick={() => void copy(lines)}>
          <Trans>Copy</Trans>
        </Button>
        <Button
          look="plain"
          onClick={() => saveFile({ file: new Blob([lines]), name: "porchlight-recovery-codes.txt" })}
        >
          <Trans>Save</Trans>
        </Button>
        <Button look="plain" onClick={() => print()}>
          <Trans>Print</Trans>
        </Button>
        <Button
          busy={busy}
          onClick={() => {
            noteCodesKept();
            onKept();
          }}
        >
          <Trans>I've saved them</Trans>
        </Button>
        <span role="status" className="self-center text-sm text-muted">
          {announcement}
        </span>
      </div>
    </div>
  );
}
