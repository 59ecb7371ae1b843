import { useQueryClient } from "@tanstack/react-query";

import { NewCodes, TEN_CODES } from "./NewCodes";
import { Failure } from "../api/Failure";
import {
  getGetRecoveryCodesQueryKey,
  useGetRecoveryCodes,
  useMakeRecoveryCodes,
} from "../api/generated/client/identity/identity";
import { QueryView } from "../api/QueryView";
import { atRelativeTime } from "../format/dates";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";

/** The ten codes that a guardian keeps on paper: how many are left, and new ones. */
export function RecoveryCodes() {
  const query = useGetRecoveryCodes();
  const queryClient = useQueryClient();
  const make = useMakeRecoveryCodes({
    mutation: {
      onSuccess: () => queryClient.invalidateQueries({ queryKey: getGetRecoveryCodesQueryKey() }),
      // The codes are shown once and not kept.
      gcTime: 0,
    },
  });
  const section = useFocusAfterForm<HTMLElement>(make.data === undefined ? null : "codes");
  return (
    <Section heading="Recovery codes" ref={section}>
      <p className="max-w-[60ch] text-muted">{TEN_CODES}</p>
      {make.data === undefined ? (
        <QueryView
          query={query}
          loading={{
            skeleton: <Skeleton shapes={["h-11"]} className="flex-col" />,
          }}
        >
          {({ data: { left, made_at } }) => (
            <div className="flex flex-col items-start gap-3">
              <p>
                {made_at === undefined
                  ? "You have none yet."
                  : `${left} of 10 are left. They were made ${atRelativeTime(made_at, new Date())}.`}
              </p>
              <Button look="plain" busy={make.isPending} onClick={() => make.mutate()}>
                {made_at === undefined ? "Make my codes" : "Make new codes"}
              </Button>
              {made_at !== undefined && (
                <p className="text-sm text-muted">Making new ones ends the old ones.</p>
              )}
            </div>
          )}
        </QueryView>
      ) : (
        <NewCodes codes={make.data.data.codes} onKept={make.reset} />
      )}
      <Failure error={make.error} />
    </Section>
  );
}
