import { Link } from "react-router";

import { useGetSubscription } from "../api/generated/client/subscription/subscription";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { useChildren } from "../children/children";
import { shortDate } from "../format/dates";
import { YouPage } from "../identity/YouPage";
import { paths } from "../paths";
import { Skeleton } from "../ui/Skeleton";

/** The guardian's page, with what messages to them may contain. */
export function YouWithMessages() {
  return (
    <YouPage>
      <Messages />
    </YouPage>
  );
}

/** What the guardian had to confirm for, and the way to all choices. Both are off after signing out everywhere. */
function Messages() {
  const query = useGetSubscription();
  const { selected } = useChildren();
  return (
    <section aria-labelledby="messages" className="flex flex-col gap-3">
      <h2 id="messages" className="text-lg font-bold">
        Messages to you
      </h2>
      <QueryView
        query={query}
        loading={{
          sentence: "Loading what is sent to you...",
          skeleton: <Skeleton shapes={["h-11"]} className="flex-col" />,
        }}
        errorText="What is sent to you could not be loaded."
      >
        {({ data }) => (
          <ul className="flex flex-col gap-1">
            {confirmed(data, new Date()).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </QueryView>
      {selected !== null && (
        <Link
          to={paths.section(selected.child_id, "subscription")}
          className="flex min-h-11 items-center self-start font-bold text-primary underline underline-offset-4"
        >
          Choose where you are told
        </Link>
      )}
    </section>
  );
}

/** What is on of all that has to be confirmed. */
function confirmed(
  { quotes_since: quotes, notification: { since } }: components["schemas"]["Subscription"],
  now: Date,
): string[] {
  const lines = [
    ...(quotes === undefined
      ? []
      : [`Your emails include quotes and topics, since ${shortDate(quotes, now)}.`]),
    ...(since === undefined ? [] : [`Notifications go to your phone, since ${shortDate(since, now)}.`]),
  ];
  return lines.length === 0 ? ["No email includes quotes, and no phone gets notifications."] : lines;
}
