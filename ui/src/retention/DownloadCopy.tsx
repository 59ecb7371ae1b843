import { useDownloadCopy } from "./queries";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** Downloads all of a child's data as a file. */
export function DownloadCopy({ child }: { child: Child }) {
  const copy = useDownloadCopy(child.child_id);
  return (
    <section aria-label="A copy" className="flex flex-col items-start gap-2 print:hidden">
      <Button look="plain" busy={copy.isPending} busyLabel="Downloading..." onClick={() => copy.mutate()}>
        <span className="[overflow-wrap:anywhere]">Download {child.name}'s data</span>
      </Button>
      <p className="text-sm text-muted">
        Every conversation, activity, topic and time in one text file, without what is in 'Recently deleted'.
      </p>
      {copy.isSuccess && <Alert kind="success">The file is in your downloads.</Alert>}
      <Failure error={copy.error} />
    </section>
  );
}
