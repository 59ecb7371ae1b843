import { AssistantList } from "./AssistantList";
import { ChildNames } from "./ChildNames";
import { householdSentence, inWords } from "./queries";
import { useGetHousehold } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { Skeleton } from "../ui/Skeleton";

type GuardiansOfChild = components["schemas"]["GuardiansOfChild"];

/** Who sees a child, in a sentence; one that a guardian shares can have others whom nobody gave a name. */
function whoSees(child: Child, all: readonly GuardiansOfChild[]): string {
  const guardians = all.find(({ child_id: id }) => id === child.child_id)?.guardians ?? [];
  const others = guardians.filter(({ is_you: isYou }) => !isYou);
  if (others.length === 0) return `You alone see what is kept of ${child.name}.`;
  const named = others.flatMap(({ name }) => plainText(name ?? "").trim() || []);
  const nameless = others.length - named.length;
  const counted = nameless === 1 ? ["another guardian"] : [`${nameless} other guardians`];
  const everybody = ["You", ...named, ...(nameless > 0 ? counted : [])];
  return `${inWords(everybody)} see what is kept of ${child.name}.`;
}

/** What a guardian may arrange: their children's names, and which assistants talk with the child. */
export function PeopleSection({ child }: { child: Child }) {
  const query = useGetHousehold();
  return (
    <section aria-labelledby="people" className="flex flex-col gap-5">
      <h2 id="people" className="text-lg font-bold">
        People and assistants
      </h2>
      <QueryView
        query={query}
        loading={{ sentence: "Loading people and assistants...", skeleton: <Skeleton shapes={["h-24"]} /> }}
        errorSentence={householdSentence}
      >
        {({ data: household }) => (
          <>
            {!household.guardians_manage && (
              <p className="max-w-[60ch] text-muted">
                On this Porchlight, whoever runs it adds children and connects assistants.
              </p>
            )}
            <p className="[overflow-wrap:anywhere]">{whoSees(child, household.children)}</p>
            <AssistantList child={child} household={household} />
            {household.guardians_manage && <ChildNames key={child.child_id} child={child} />}
          </>
        )}
      </QueryView>
    </section>
  );
}
