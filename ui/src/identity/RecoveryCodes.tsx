import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { NewCodes, tenCodes } from "./NewCodes";
import { Failure } from "../api/Failure";
import {
  getGetRecoveryCodesQueryKey,
  useGetRecoveryCodes,
  useMakeRecoveryCodes,
} from "../api/generated/client/identity/identity";
import { QueryView } from "../api/QueryView";
import { capitalized } from "../format/dates";
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
    <Section heading={t`Recovery codes`} ref={section}>
      <p className="max-w-[60ch] text-muted">{tenCodes()}</p>
      {make.data === undefined ? (
        <QueryView
          query={query}
          loading={{
            skeleton: <Skeleton shapes={["h-11"]} className="flex-col" />,
          }}
        >
          {({ data: { left, created_at } }) => (
            <div className="flex flex-col items-start gap-3">
              <p>
                {created_at === undefined
                  ? capitalized(t`no recovery codes yet`)
                  : t`${left} of 10 recovery codes left`}
              </p>
              <Button look="plain" busy={make.isPending} onClick={() => make.mutate()}>
                {created_at === undefined ? t`Make my codes` : t`Make new codes`}
              </Button>
              {created_at !== undefined && (
                <p className="text-sm text-muted">
                  <Trans>Making new ones ends the old ones.</Trans>
                </p>
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
