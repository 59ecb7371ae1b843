import { CheckIcon } from "lucide-react";

import { errorTexts } from "./queries";
import { type AssistantReceipt, reportOf, useReceipts } from "./receipts";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { Skeleton } from "../ui/Skeleton";

/** What each of the child's assistants reports about this list, and to whose prompts Porchlight added it. */
export function WhoFollows({ child: { child_id: childId, name } }: { child: Child }) {
  const query = useReceipts(childId);
  return (
    <section aria-labelledby="followers" className="flex max-w-[68ch] flex-col gap-2 pt-3">
      <h2 id="followers" className="text-lg font-bold">
        Who has this list?
      </h2>
      <QueryView
        query={query}
        loading={{ sentence: "Loading who has this list...", skeleton: reportsSkeleton }}
        errorText={errorTexts.receipts}
      >
        {({ data }) => <Reports name={name} assistants={data.assistants} />}
      </QueryView>
    </section>
  );
}

/** What needs attention, the most urgent first. */
const URGENT: readonly AssistantReceipt["kind"][] = ["refused", "asked", "silent"];

const KINDS: readonly AssistantReceipt["kind"][] = [...URGENT, "older", "following"];

/** The groups of assistants, those that a parent has to look at first. */
const groups: readonly { heading: string; has: (assistant: AssistantReceipt) => boolean }[] = [
  { heading: "Needs attention", has: ({ kind }) => URGENT.includes(kind) },
  { heading: "Gets the change when it next connects", has: ({ kind }) => kind === "older" },
  {
    heading: "Says it follows this list",
    has: (assistant) => assistant.kind === "following" && !isAdded(assistant) && !isReadBack(assistant),
  },
  { heading: "Added by Porchlight", has: isAdded },
  { heading: "List found in the AI's prompt", has: isReadBack },
];

function Reports({ name, assistants }: { name: string; assistants: readonly AssistantReceipt[] }) {
  const now = new Date();
  const ordered = KINDS.flatMap((kind) => assistants.filter((assistant) => assistant.kind === kind));
  if (assistants.length === 0) {
    return (
      <p className="text-muted">
        <bdi>{name}</bdi> has no assistant yet, so nobody has this list.
      </p>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">
        {!assistants.every(isAdded) && (
          <>
            Each assistant of <bdi>{name}</bdi> reports this itself
            {assistants.some(isAdded) ? ", except where Porchlight added the list. " : ". "}
          </>
        )}
        {assistants.some(isAdded) &&
          "Added by Porchlight: this server put the list into the prompt. It can't tell whether the AI obeyed, or cut part of the prompt off. "}
        {assistants.some(isReadBack) &&
          "Found in the prompt: the list was in the text that the assistant's AI really got."}
      </p>
      {groups.map(({ heading, has }) => {
        const members = ordered.filter(has);
        if (members.length === 0) return null;
        return (
          <section key={heading} aria-label={heading} className="flex flex-col gap-1">
            <h3 className="flex items-center gap-2 pt-1 text-base font-bold">
              {heading}
              {(has === isAdded || has === isReadBack) && <CheckIcon className="size-4" />}
            </h3>
            <ul className="flex flex-col gap-1">
              {members.map((assistant, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two assistants can have one name
                <li key={`${index} ${assistant.name}`} className="[overflow-wrap:anywhere]">
                  <bdi className="font-bold">{plainText(assistant.name)}</bdi> {reportOf(assistant, now)}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Proof of what the prompt was. */
function isAdded({ kind, evidence }: AssistantReceipt): boolean {
  return kind === "following" && evidence === "added";
}

/** The strongest that an assistant can report. */
function isReadBack({ kind, evidence }: AssistantReceipt): boolean {
  return kind === "following" && evidence === "in_prompt";
}

const reportsSkeleton = <Skeleton shapes={["h-5 max-w-md", "h-5 max-w-sm"]} />;
