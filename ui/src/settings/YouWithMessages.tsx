import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import {
  useGetPushSubscription,
  useGetSubscription,
} from "../api/generated/client/subscription/subscription";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { useChildren } from "../children/children";
import { shortDate } from "../format/dates";
import { YouPage } from "../identity/YouPage";
import { paths } from "../paths";
import { Skeleton } from "../ui/Skeleton";
import { TextLink } from "../ui/TextLink";
import { Section } from "../ui/Section";
import { labelled } from "../format/labelled";

/** The guardian's page, with what messages to them may contain. */
export function YouWithMessages() {
  return (
    <YouPage>
      <Messages />
    </YouPage>
  );
}

/** What the guardian had to confirm for, and the way to all choices. All of it is off after signing out everywhere. */
function Messages() {
  const query = useGetSubscription();
  const push = useGetPushSubscription().data?.data;
  const { selected } = useChildren();
  return (
    <Section heading={t`Messages to you`}>
      <QueryView
        query={query}
        loading={{
          skeleton: <Skeleton shapes={["h-11"]} className="flex-col" />,
        }}
      >
        {({ data }) => (
          <ul className="flex flex-col gap-1">
            {confirmed(data, push, new Date()).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </QueryView>
      {selected !== null && (
        <TextLink to={paths.section(selected.child_id, "subscription")} className="self-start">
          <Trans>Choose how we tell you</Trans>
        </TextLink>
      )}
    </Section>
  );
}

/** What is on of all that has to be confirmed. */
function confirmed(
  { quotes_since: quotes, notification: { since } }: components["schemas"]["Subscription"],
  push: components["schemas"]["PushSubscriptionStatus"] | undefined,
  now: Date,
): string[] {
  const count = [since, push?.since].filter((on) => on !== undefined).length + (push?.others ?? 0);
  const lines = [
    ...(quotes === undefined
      ? []
      : [labelled(t`Quotes and topics`, t`On since ${{ date: shortDate(quotes, now) }}`)]),
    ...(count === 0
      ? []
      : [
          plural(
            { count },
            {
              one: "Notifications go to # device of yours.",
              other: "Notifications go to # devices of yours.",
            },
          ),
        ]),
  ];
  return lines.length === 0 && push !== undefined ? [t`Off: our emails never quote anyone.`] : lines;
}
