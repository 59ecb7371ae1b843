import { Trans } from "@lingui/react/macro";

import type { ListedSession } from "./queries";
import { Failure } from "../api/Failure";
import { type useMarkNotChild } from "../retention/queries";
import { Button } from "../ui/Button";

interface NotChildProps {
  childName: string;
  session: ListedSession;
  marking: ReturnType<typeof useMarkNotChild>;
}

/** Says that somebody else talked, not the child, and offers to undo it. */
export function NotChild({ childName: name, session, marking }: NotChildProps) {
  return (
    <>
      <Failure error={marking.error} />
      <div role="status">
        {session.notChild && (
          <div className="flex flex-wrap items-center gap-x-3 border-b border-line py-1 text-sm text-muted md:px-6">
            <p className="min-w-[min(12rem,100%)] flex-1 py-1">
              <Trans>
                This wasn&apos;t <bdi>{name}</bdi>
              </Trans>
            </p>
            <Button look="quiet" busy={marking.isPending} onClick={() => marking.mutate(false)}>
              <Trans>Undo</Trans>
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
