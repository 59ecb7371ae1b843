import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { useDownloadCopy } from "./queries";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** Downloads all of a child's data as a file. */
export function DownloadCopy({ child }: { child: Child }) {
  const copy = useDownloadCopy(child.child_id);
  return (
    <div className="flex flex-col items-start gap-2 print:hidden">
      <Button look="plain" busy={copy.isPending} busyLabel={t`Downloading...`} onClick={() => copy.mutate()}>
        <span className="[overflow-wrap:anywhere]">
          <Trans>Download {{ name: child.name }}'s data</Trans>
        </span>
      </Button>
      <p className="text-sm text-muted">
        <Trans>
          Every conversation, activity, topic and time in one text file, without what is in 'Recently
          deleted'.
        </Trans>
      </p>
      {copy.isSuccess && (
        <Alert kind="success">
          <Trans>The file is in your downloads.</Trans>
        </Alert>
      )}
      <Failure error={copy.error} />
    </div>
  );
}
