import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { EarlierTries } from "./EarlierTries";
import { useTries } from "./queries";
import { isOver } from "./sentences";
import { StartTry } from "./StartTry";
import { useGetHousehold } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { ConnectLink } from "../children/ConnectFirst";
import { paths } from "../paths";
import { BackLink } from "../ui/BackLink";
import { PageHeading } from "../ui/PageHeading";
import { ShowEarlier } from "../ui/ShowEarlier";
import { Skeleton } from "../ui/Skeleton";

type Assistant = components["schemas"]["OwnAssistant"];

export const TriesPage = childPage(msg`Try your rules`, ChildTries);

function ChildTries({ child }: { child: Child }) {
  const { child_id: childId, name } = child;
  const household = useGetHousehold();
  const tries = useTries(childId);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col">
        <BackLink to={paths.section(childId, "topic-blocklist")}>{t`Topic Block List`}</BackLink>
        <PageHeading>{t`Try your rules`}</PageHeading>
      </div>
      <p className="max-w-[65ch]">
        <Trans>
          Porchlight asks the assistant’s AI made-up questions, with the rules that <bdi>{name}</bdi>’s next
          conversation gets, and shows you what it answers. <bdi>{name}</bdi> sees nothing of it.
        </Trans>
      </p>
      <QueryView query={household} loading={{ skeleton: startSkeleton }}>
        {({ data }) => {
          const assistants = data.assistants.filter((one) => canBeTried(one, childId));
          if (assistants.length === 0) return <NothingToTry childId={childId} />;
          const own = tries.data?.tries.some((one) => !isOver(one) && one.by?.is_you === true);
          return own === true ? null : <StartTry child={child} assistants={assistants} />;
        }}
      </QueryView>
      <QueryView query={tries} loading={{ skeleton: listSkeleton }}>
        {({ tries: all, unreadable }) => (
          <EarlierTries child={child} tries={all} unreadable={unreadable}>
            <ShowEarlier
              query={tries}
              error={tries.isFetchNextPageError ? errorMessage(tries.error) : null}
              onShow={() => void tries.fetchNextPage({ cancelRefetch: false })}
            />
          </EarlierTries>
        )}
      </QueryView>
    </div>
  );
}

/** Only the AI of an assistant behind the gateway can be asked. */
function canBeTried({ kind, upstream, children }: Assistant, childId: number): boolean {
  return kind === "gateway" && upstream !== undefined && children.includes(childId);
}

function NothingToTry({ childId }: { childId: number }) {
  return (
    <div className="flex max-w-[65ch] flex-col items-start gap-3">
      <p>
        <Trans>
          There is nothing to try yet: no assistant here reaches its AI through Porchlight, so Porchlight
          can’t ask that AI. To try your rules, connect an app with an address and a key.
        </Trans>
      </p>
      <ConnectLink childId={childId} />
    </div>
  );
}

const startSkeleton = (
  <Skeleton shapes={["h-6 w-40", "h-11 w-48", "h-24 max-w-[65ch]"]} className="flex-col gap-4" />
);
const listSkeleton = <Skeleton shapes={["h-28 max-w-[65ch]"]} className="flex-col gap-4" />;
