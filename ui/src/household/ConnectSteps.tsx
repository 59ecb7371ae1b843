import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { STEPS, type Source, headingOf, whereSentence } from "./connect";
import { AppDetails } from "./AppSettings";
import { ConnectionChecks } from "./ConnectionChecks";
import { Copyable } from "./Copyable";
import { FirstWords } from "./FirstWords";
import { KeyPart } from "./KeyPart";
import { LeaveWithoutKey } from "./LeaveWithoutKey";
import { PluginDetails } from "./PluginDetails";
import type { ConnectedAssistant, OwnAssistant } from "./queries";
import { SendLink } from "./SendLink";
import { StepList } from "./StepList";
import { useListConnections } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { attentionOf, useReceipts } from "../rules/receipts";
import { Disclosure } from "../ui/Disclosure";
import { TextLink } from "../ui/TextLink";

interface ConnectStepsProps {
  child: Child;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  slug: string;
  source: Source;
  assistant: OwnAssistant;
  /** Null if it is shown no more, or was shown on another device. */
  assistantKey: string | null;
  /** Whether the guardian said here that the key is saved. */
  isKeySaved: boolean;
  onKey: (connected: ConnectedAssistant) => void;
  onSaved: () => void;
}

/** An assistant's steps with its key, and whether it was heard. Another computer shows the same page without the key. */
export function ConnectSteps(props: ConnectStepsProps) {
  const { child, siblings, household, slug, source, assistant, assistantKey, isKeySaved, onKey, onSaved } =
    props;
  const { child_id: childId, name: childName } = child;
  const { assistant_id: id, name } = assistant;
  // The child's events say when these change.
  const connections = useListConnections(childId).data?.data.items;
  const receipts = useReceipts(childId).data?.data.assistants ?? [];
  const connection = connections?.find(({ assistant_id: of }) => of === id);
  const isHeard = connection?.heard_at !== undefined;
  return (
    // What has the focus isn't hidden by the line that stays in sight.
    <div className="flex flex-col gap-6 [&_:is(a,button,summary,select)]:scroll-mb-28">
      <p className="max-w-[60ch] text-muted">{whereSentence(source)}</p>
      <StepList
        source={source}
        assistant={assistant}
        siblings={siblings}
        household={household}
        assistantKey={
          <KeyPart
            assistant={assistant}
            assistantKey={assistantKey}
            mayRenew={!isHeard && !isKeySaved}
            onKey={onKey}
            onSaved={onSaved}
          />
        }
      />
      <div className="flex max-w-[60ch] flex-col">
        <SendLink
          server={household.server}
          path={`${paths.connect(childId, slug, STEPS)}?assistant=${id}`}
          what={headingOf(slug, undefined, childName)}
        />
        <Disclosure summary={t`Technical details`} summaryClassName="font-bold text-primary">
          <div className="flex flex-col gap-3 pb-2 text-sm">
            <Details
              source={source}
              assistant={assistant}
              household={household}
              assistantKey={assistantKey}
            />
            {source.kind !== "app" && <ConnectionChecks connection={connection} />}
          </div>
        </Disclosure>
      </div>
      <FirstWords
        childId={childId}
        assistant={assistant}
        connection={connection}
        attention={attentionOf(name, isHeard, receipts)}
      />
      {assistantKey !== null && !isHeard && <LeaveWithoutKey />}
    </div>
  );
}

type DetailsProps = Pick<ConnectStepsProps, "source" | "assistant" | "household" | "assistantKey">;

function Details({ source, assistant, household, assistantKey }: DetailsProps) {
  switch (source.kind) {
    case "app":
      return <AppDetails assistant={assistant} household={household} />;
    case "home-assistant":
    case "toy":
    case "software":
      if (source.plugin !== undefined) {
        return <PluginDetails plugin={source.plugin} server={household.server} assistantKey={assistantKey} />;
      }
      return (
        <>
          <Copyable text={`${household.server}/api/assistant`}>
            <Trans>Address:</Trans>
          </Copyable>
          <p>
            <Trans>
              An assistant makes three calls: it asks for the rules of child{" "}
              {{ numbers: assistant.children.join(", ") }}, delivers what was said, and says which rules it
              used. Try each of them in{" "}
              <TextLink isInline href="/api/docs">
                the API&apos;s documentation
              </TextLink>
              .
            </Trans>
          </p>
        </>
      );
    case "speaker":
    case "nothing":
      return null;
  }
}
