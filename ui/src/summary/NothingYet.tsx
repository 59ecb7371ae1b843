import { useTalkStatus } from "./queries";
import type { Child } from "../children/children";
import { ConnectLink } from "../children/ConnectFirst";

/** The first step, for a child without an assistant. */
export function NothingYet({ child: { child_id: childId, name } }: { child: Child }) {
  const { data } = useTalkStatus(childId);
  if (data?.data.state !== "no_assistant") return null;
  return (
    <section aria-label="First step" className="flex flex-col items-start gap-3">
      <p className="text-lg [overflow-wrap:anywhere]">
        No assistant talks with <bdi>{name}</bdi> yet.
      </p>
      <ConnectLink childId={childId} />
      <p className="max-w-[60ch] text-muted">
        Porchlight sees only assistants connected here, not the ChatGPT app.
      </p>
    </section>
  );
}
