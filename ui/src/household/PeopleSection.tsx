import { AssistantList } from "./AssistantList";
import { ChildNames } from "./ChildNames";
import { householdSentence } from "./queries";
import { useGetHousehold } from "../api/generated/client/household/household";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { Skeleton } from "../ui/Skeleton";

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
            <AssistantList child={child} household={household} />
            {household.guardians_manage && <ChildNames key={child.child_id} child={child} />}
          </>
        )}
      </QueryView>
    </section>
  );
}
