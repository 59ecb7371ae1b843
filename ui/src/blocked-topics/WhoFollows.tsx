import { CheckIcon } from "lucide-react";

import { errorTexts } from "./queries";
import { type AssistantReceipt, reportOf, useReceipts } from "./receipts";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { Skeleton } from "../ui/Skeleton";

/** What each of the child's assistants reports about this list. */
export function WhoFollows({ child: { child_id: childId, name } }: { child: Child }) {
  const query = useReceipts(childId);
  return (
    <section aria-labelledby="followers" className="flex max-w-[68ch] flex-col gap-2 pt-3">
      <h2 id="followers" className="text-lg font-bold">
        Who follows this list
      </h2>
      <QueryView
        query={query}
        loading={{ sentence: "Loading who follows this list...", skeleton: reportsSkeleton }}
        errorText={errorTexts.receipts}
      >
        {({ data }) => <Reports name={name} assistants={data.assistants} />}
      </QueryView>
    </section>
  );
}

function Reports({ name, assistants }: { name: string; assistants: readonly AssistantReceipt[] }) {
  const now = new Date();
  if (assistants.length === 0) {
    return (
      <p className="text-muted">
        <bdi>{name}</bdi> has no assistant yet, so nobody follows this list.
      </p>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">
        This is what each assistant of <bdi>{name}</bdi> says itself.
        {assistants.some(isReadBack) &&
          " Read back from the prompt: the list was found in the text that the assistant's model was really given."}
      </p>
      <ul aria-labelledby="followers" className="flex flex-col gap-2">
        {assistants.map((assistant, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two assistants can have one name
          <li key={`${index} ${assistant.name}`} className="[overflow-wrap:anywhere]">
            <bdi className="font-bold">{plainText(assistant.name)}</bdi> {reportOf(assistant, now)}
            {isReadBack(assistant) && (
              <span className="ml-2 inline-flex items-center gap-1 rounded-full bg-lamp-glow px-2.5 text-sm forced-colors:border">
                <CheckIcon className="size-4" />
                read back from the prompt
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Only this evidence gets the check mark: the rest is reported by the assistant. */
function isReadBack({ kind, read_back: readBack }: AssistantReceipt): boolean {
  return kind === "following" && readBack;
}

const reportsSkeleton = <Skeleton shapes={["h-5 max-w-md", "h-5 max-w-sm"]} />;
