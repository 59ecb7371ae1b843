import { useEffect } from "react";

import { useIdentity } from "./identity";
import { noteCodesKept, noteCodesShown } from "./kept-codes";
import { Button } from "../ui/Button";

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
  return (
    <div className="flex flex-col gap-4">
      <p role="status">These are shown only now. Write them down or print them, and keep them safe.</p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(20ch,1fr))] gap-x-4 gap-y-1.5 rounded-surface border border-line bg-surface p-4 font-mono tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button look="plain" onClick={() => print()}>
          Print
        </Button>
        <Button
          busy={busy}
          onClick={() => {
            noteCodesKept();
            onKept();
          }}
        >
          I've saved them
        </Button>
      </div>
    </div>
  );
}
