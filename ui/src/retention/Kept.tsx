import { Trans } from "@lingui/react/macro";
import { PinIcon } from "lucide-react";

import { type useKeep, type useKept } from "./queries";
import { Failure } from "../api/Failure";
import { authorInSentence } from "../children/author";

interface KeptProps {
  kept: ReturnType<typeof useKept>;
  keeping: ReturnType<typeof useKeep>;
}

/** Says that a guardian keeps the conversation, so that it isn't deleted for its age. */
export function Kept({ kept, keeping }: KeptProps) {
  const by = kept.data?.by ?? [];
  return (
    <>
      <Failure error={keeping.error} />
      {by.length > 0 && (
        <p className="flex items-center gap-1 text-sm text-muted print:hidden">
          <PinIcon aria-hidden className="size-4 shrink-0" />
          <Trans>Kept by {{ names: by.map(authorInSentence).join(", ") }}</Trans>
        </p>
      )}
    </>
  );
}
