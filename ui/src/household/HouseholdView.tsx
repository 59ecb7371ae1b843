import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

import { useGetHousehold } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { Skeleton } from "../ui/Skeleton";

interface HouseholdViewProps {
  children: (household: components["schemas"]["Household"]) => ReactNode;
  /** Shown instead if guardians can't change it. */
  ifManagedElsewhere?: ReactNode;
}

/** On a server where guardians can't change the household. */
export function managedElsewhere(): string {
  return t`On this server, the person who set it up adds children and connects assistants.`;
}

/** Shows what depends on the household once it is loaded, and whether guardians can change it on this server. */
export function HouseholdView({ children, ifManagedElsewhere }: HouseholdViewProps) {
  const query = useGetHousehold();
  return (
    <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-24"]} /> }}>
      {({ data: household }) => {
        if (!household.guardians_manage && ifManagedElsewhere !== undefined) return ifManagedElsewhere;
        return (
          <>
            {!household.guardians_manage && <p className="max-w-[60ch] text-muted">{managedElsewhere()}</p>}
            {children(household)}
          </>
        );
      }}
    </QueryView>
  );
}
