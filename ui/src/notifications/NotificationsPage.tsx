import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { Arrival } from "./Arrival";
import { AtOnce } from "./AtOnce";
import { useSubscription } from "./queries";
import { Quotes } from "./Quotes";
import { RestoredChoices } from "./RestoredChoices";
import { type Subscription, usesClock } from "./settings";
import { TimeZone } from "./TimeZone";
import { Webhook } from "./Webhook";
import { Weekly } from "./Weekly";
import { useGetPushSubscription } from "../api/generated/client/subscription/subscription";
import { useGetSignInMethods } from "../api/generated/client/identity/identity";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import { useChildren } from "../children/children";
import { ConfirmAddress } from "../identity/ConfirmAddress";
import { useIdentity } from "../identity/identity";
import { PageHeading } from "../ui/PageHeading";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";
import { Notice } from "../ui/Notice";

/** The guardian of the demonstration, as `porchlight serve --demo` has it. */
const DEMONSTRATION = "demo@porchlight.example";

export const NotificationsPage = childPage(msg`Subscription`, Choices);

/** Which messages the guardian gets, and how. It is the same on the page of each of their children. */
function Choices() {
  const query = useSubscription();
  const methods = useGetSignInMethods();
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-3">
        <PageHeading>{t`Subscription`}</PageHeading>
        <p className="max-w-[65ch]">
          <Trans>Porchlight is free. Choose which messages it sends you.</Trans>
        </p>
      </div>
      <QueryView
        query={methods.isPending ? { ...query, data: undefined } : query}
        loading={{
          skeleton: <Skeleton shapes={["h-28 max-w-[65ch]", "h-28 max-w-[65ch]", "h-28 max-w-[65ch]"]} />,
        }}
      >
        {(subscription) => (
          <Groups subscription={subscription} sendsEmail={methods.data?.data.email_link !== false} />
        )}
      </QueryView>
    </div>
  );
}

interface GroupsProps {
  subscription: Subscription;
  sendsEmail: boolean;
}

function Groups({ subscription, sendsEmail }: GroupsProps) {
  const { notification } = subscription;
  const push = useGetPushSubscription().data?.data ?? { others: 0 };
  const { list } = useChildren();
  const { identity } = useIdentity();
  const email = identity.kind === "signed-in" && sendsEmail ? identity.guardian.email : null;
  const siblings = list.kind === "loaded" ? list.children : [];
  return (
    <>
      {subscription.restored !== undefined && <RestoredChoices restored={subscription.restored} />}
      {sendsEmail ? (
        <Unconfirmed />
      ) : (
        <Notice className="max-w-[65ch] py-3">
          <Trans>This server sends no emails until the person who set it up adds a mail server.</Trans>
        </Notice>
      )}
      {(sendsEmail ||
        notification.enabled ||
        notification.server !== undefined ||
        push.key !== undefined) && (
        <Group
          heading={t`At once`}
          about={t`Messages can be late or lost: Porchlight is not an emergency service.`}
        >
          {email === DEMONSTRATION ? (
            <p>
              <Trans>The demonstration sends no messages about alerts.</Trans>
            </p>
          ) : (
            <AtOnce subscription={subscription} push={push} siblings={siblings} email={email} />
          )}
        </Group>
      )}
      {sendsEmail && (
        <>
          <Group
            heading={t`Once a week`}
            about={t`One email about all your children: minutes, conversations, alerts, and what your assistants need.`}
          >
            <Weekly settings={subscription.settings} />
          </Group>
          {(subscription.settings.at_once.email || subscription.settings.weekly.enabled) && (
            <Group heading={t`Do they arrive?`}>
              <Arrival channel="email" />
            </Group>
          )}
          <Group
            heading={t`Quotes and topics`}
            about={subscription.settings.quotes ? undefined : t`Off: our emails never quote anyone.`}
          >
            <Quotes subscription={subscription} />
          </Group>
        </>
      )}
      {subscription.webhook !== undefined && (
        <Group heading={t`Passed on`}>
          <Webhook host={subscription.webhook.host} settings={subscription.settings} />
        </Group>
      )}
      {usesClock(subscription.settings) && (
        <Group heading={t`Time zone`}>
          <TimeZone timeZone={subscription.settings.time_zone} />
        </Group>
      )}
    </>
  );
}

/** Messages go to confirmed addresses only. */
function Unconfirmed() {
  const { identity } = useIdentity();
  if (identity.kind !== "signed-in" || identity.guardian.email_unverified !== true) return null;
  return (
    <Notice className="flex max-w-[65ch] flex-col gap-2 py-3">
      <p>
        <Trans>Nothing is sent to an address that isn&apos;t confirmed.</Trans>
      </p>
      <ConfirmAddress />
    </Notice>
  );
}

interface GroupProps {
  heading: string;
  about?: ReactNode;
  children: ReactNode;
}

function Group({ heading, about, children }: GroupProps) {
  return (
    <Section
      heading={heading}
      about={about}
      className="flex max-w-[68ch] flex-col gap-3 border-t border-line pt-5 first:border-t-0"
    >
      {children}
    </Section>
  );
}
