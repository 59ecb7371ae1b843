import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { EllipsisVerticalIcon } from "lucide-react";
import { useId, useState } from "react";

import { AppDetails, AppSettings } from "./AppSettings";
import { STEPS, slugs } from "./connect";
import { type Connection, droppedSettings, problemOf, seenAgo } from "./connections";
import { NameForm } from "./NameForm";
import { NotInUse } from "./NotInUse";
import { type ConnectedAssistant, type OwnAssistant, useInvalidateHousehold } from "./queries";
import { TopicsLine } from "./TopicsLine";
import { UpstreamDialog } from "./UpstreamDialog";
import { Failure } from "../api/Failure";
import {
  useKeepAssistantKey,
  useRenameAssistant,
  useRevokeAssistant,
  useRotateAssistant,
  useTakeChildOff,
} from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { failureSentence } from "../api/problem";
import { ifCancelled } from "../api/step-up";
import type { Child } from "../children/children";
import { capitalized, relativeTime } from "../format/dates";
import { labelled } from "../format/labelled";
import { joinNames } from "../format/names";
import { paths } from "../paths";
import { type AssistantReceipt, attentionOf } from "../rules/receipts";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { focusHeading, useFocusAfterForm } from "../ui/focus";
import { Menu, menuItemClass } from "../ui/Menu";
import { TextLink } from "../ui/TextLink";
import { Disclosure } from "../ui/Disclosure";
import { Notice } from "../ui/Notice";
import { keyWasShown } from "./key-sentences";
import { noServer, whatGoesTo } from "./upstreams";

interface AssistantItemProps {
  assistant: OwnAssistant;
  child: Child;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  /** Undefined while it is loading. */
  connection: Connection | undefined;
  /** What the child's assistants report about the list of blocked topics. */
  receipts: readonly AssistantReceipt[];
  /** Whether its new key is shown below the list, with what else to paste. */
  isKeyShown: boolean;
  onKey: (connected: ConnectedAssistant) => void;
  /** Called when the assistant was revoked or the child was removed from it. */
  onGone: () => void;
}

type Question = "rename" | "rotate" | "upstream" | "revoke" | "take off";

/** Available if the assistant talks only with the guardian's own children. */
function changes(): readonly { question: Question; label: string }[] {
  return [
    { question: "rename", label: t`Rename` },
    { question: "rotate", label: t`Make a new key` },
    { question: "revoke", label: t`Disconnect` },
  ];
}

function lastSeen(connection: Connection | undefined): string {
  if (connection === undefined) return "";
  const { heard_at: heardAt, follows_rules: followsRules } = connection;
  const now = new Date();
  const seen = capitalized(seenAgo(heardAt, now, (value) => relativeTime(value, now)));
  return heardAt !== undefined && followsRules ? `${seen} · ${t`reports using the current rules ✓`}` : seen;
}

/** Where its steps are: only an app's are known without asking what it is. */
function stepsOf(childId: number, { assistant_id: id, kind }: OwnAssistant): string {
  const parts = kind === "gateway" ? [slugs.app, STEPS] : [];
  return `${paths.connect(childId, ...parts)}?assistant=${id}`;
}

/** Where a newer plug-in is, if there is one. */
function PluginLine({ plugin }: { plugin: components["schemas"]["ConnectionPlugin"] }) {
  const { name, version, current_version: current, is_older: isOlder } = plugin;
  if (!isOlder) return null;
  return (
    <p className="text-sm">
      <Trans>
        An older plug-in, {version}.{" "}
        <TextLink isInline href={`/api/assistant/plugins/${name}`} download className="font-normal">
          Download {current}
        </TextLink>{" "}
        and put it in its place.
      </Trans>
    </p>
  );
}

/** An assistant that talks with the child: its name, its children and the actions on it. */
export function AssistantItem({
  assistant,
  child,
  siblings,
  household,
  connection,
  receipts,
  isKeyShown,
  onKey,
  onGone,
}: AssistantItemProps) {
  const { assistant_id: assistantId, name, upstream } = assistant;
  const { guardians_manage: mayChange, upstreams } = household;
  const [asking, setAsking] = useState<Question | null>(null);
  const invalidateHousehold = useInvalidateHousehold();
  const nameId = useId();
  const close = () => setAsking(null);
  const onSuccess = async () => {
    close();
    await invalidateHousehold();
  };
  /** The item is removed, with the focused button in it. */
  const leave = async () => {
    onGone();
    await onSuccess();
    focusHeading();
  };
  const keep = useKeepAssistantKey({ mutation: { onSuccess } });
  const rename = useRenameAssistant({ mutation: { onSuccess } });
  const revoke = useRevokeAssistant({ mutation: { onSuccess: leave } });
  const takeOff = useTakeChildOff({ mutation: { onSuccess: leave } });
  const rotate = useRotateAssistant({
    mutation: {
      onSuccess: ({ data }) => {
        close();
        onKey(data);
      },
      onError: ifCancelled(close),
      // Don't cache the key.
      gcTime: 0,
    },
  });
  const failure = failureSentence(revoke.error ?? takeOff.error ?? rotate.error);
  const ask = (question: Question) => {
    for (const { reset } of [rename, revoke, takeOff, rotate]) reset();
    setAsking(question);
  };
  const names = siblings
    .filter(({ child_id: id }) => assistant.children.includes(id))
    .map((each) => each.name);
  const leavesOthers = !assistant.exclusive || assistant.children.length > 1;
  const removeFromIt = t`Remove ${{ name: child.name }} from this assistant`;
  const questions: readonly { question: Question; label: string }[] = [
    ...(assistant.exclusive ? changes() : []),
    ...(assistant.exclusive && assistant.kind === "gateway"
      ? [{ question: "upstream" as const, label: t`Change the model's server` }]
      : []),
    ...(leavesOthers ? [{ question: "take off" as const, label: removeFromIt }] : []),
  ];
  const problem = connection === undefined ? null : problemOf(connection);
  const isHeard = connection?.heard_at !== undefined;
  const attention = attentionOf(name, isHeard, receipts);
  const dropped = connection === undefined ? null : droppedSettings(name, connection);
  const item = useFocusAfterForm<HTMLLIElement>(asking);
  return (
    <li ref={item} className="flex flex-col gap-3 py-3">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <p id={nameId} className="font-bold">
            <bdi>{name}</bdi>
          </p>
          <p className="text-sm text-muted">
            {assistant.exclusive
              ? labelled(t`Talks with`, joinNames(names))
              : t`Talks with ${{ names: joinNames(names) }}, and with a child that is not yours.`}
          </p>
          <p className="text-sm text-muted">{lastSeen(connection)}</p>
          {connection !== undefined && !isHeard && mayChange && (
            <TextLink to={stepsOf(child.child_id, assistant)} className="text-sm">
              <Trans>Show the steps</Trans>
            </TextLink>
          )}
          {attention !== null && <TopicsLine childId={child.child_id} name={name} attention={attention} />}
          {connection?.plugin !== undefined && <PluginLine plugin={connection.plugin} />}
          {problem !== null && (
            <p className="text-sm text-danger">
              <bdi>{name}</bdi>: {problem}
            </p>
          )}
          {dropped !== null && <p className="text-sm text-muted">{dropped}</p>}
          {upstream !== undefined && <p className="text-sm">{whatGoesTo(upstream.host)}</p>}
          {assistant.kind === "gateway" && upstream === undefined && <p className="text-sm">{noServer()}</p>}
        </div>
        {mayChange && (
          <Menu
            label={t`Options for ${name}`}
            placement="below"
            triggerClassName="flex size-11 items-center justify-center rounded-control text-muted hover:bg-quiet hover:text-ink"
            trigger={<EllipsisVerticalIcon className="size-5" />}
          >
            {questions.map(({ question, label }) => (
              <button
                key={question}
                type="button"
                role="menuitem"
                className={menuItemClass}
                onClick={() => ask(question)}
              >
                {label}
              </button>
            ))}
          </Menu>
        )}
      </div>
      <NotInUse childId={child.child_id} assistant={assistant} connection={connection} about={nameId} />
      {assistant.key_exposed === true && (
        <Notice className="flex flex-col gap-2 py-3">
          <p>
            <Trans>Somebody was shown this key who is no longer a guardian of {{ name: child.name }}.</Trans>
          </p>
          {mayChange && !assistant.exclusive && (
            <Button look="plain" className="self-start" onClick={() => ask("take off")}>
              {removeFromIt}
            </Button>
          )}
          {mayChange && assistant.exclusive && (
            <div className="flex flex-wrap gap-2">
              <Button look="plain" onClick={() => ask("rotate")}>
                <Trans>Make a new key</Trans>
              </Button>
              <Button look="plain" busy={keep.isPending} onClick={() => keep.mutate({ assistantId })}>
                <Trans>Keep this key</Trans>
              </Button>
            </div>
          )}
          <Failure error={keep.error} />
        </Notice>
      )}
      {upstream !== undefined && assistant.exclusive && household.gateway !== undefined && !isKeyShown && (
        <Disclosure
          summary={t`What to paste into the app`}
          summaryClassName="text-primary"
          className="text-sm"
        >
          <div className="flex flex-col gap-3 pb-2">
            <AppSettings assistant={assistant} siblings={siblings} household={household}>
              <p>{keyWasShown()}</p>
            </AppSettings>
            <Disclosure summary={t`Technical details`}>
              <div className="flex flex-col gap-3">
                <AppDetails assistant={assistant} household={household} />
              </div>
            </Disclosure>
          </div>
        </Disclosure>
      )}
      {asking === "upstream" && (
        <UpstreamDialog assistant={assistant} upstreams={upstreams} onClose={close} />
      )}
      {asking === "rename" && (
        <NameForm
          label={t`Name, for example Kitchen`}
          defaultValue={name}
          action={t`Save`}
          busy={rename.isPending}
          refusal={failureSentence(rename.error)}
          onName={(typed) => rename.mutate({ assistantId, data: { name: typed } })}
          onCancel={close}
        />
      )}
      {asking === "revoke" && (
        <Confirmation
          title={labelled(t`Disconnect`, name)}
          action={t`Disconnect`}
          busy={revoke.isPending}
          failure={failure}
          onConfirm={() => revoke.mutate({ assistantId })}
          onClose={close}
        >
          <Trans>
            Its key ends at once. If it goes on talking, it does so without your rules. What it delivered
            stays.
          </Trans>
        </Confirmation>
      )}
      {asking === "take off" && (
        <Confirmation
          title={labelled(removeFromIt, name)}
          action={t`Remove`}
          busy={takeOff.isPending}
          failure={failure}
          onConfirm={() => takeOff.mutate({ childId: child.child_id, assistantId })}
          onClose={close}
        >
          <Trans>
            If {{ assistant: name }} goes on talking with {{ child: child.name }}, it does so without these
            rules, and Porchlight sees nothing of it.
          </Trans>
        </Confirmation>
      )}
      {asking === "rotate" && (
        <Confirmation
          title={labelled(t`Make a new key`, name)}
          action={t`Make a new key`}
          busy={rotate.isPending}
          failure={failure}
          onConfirm={() => rotate.mutate({ assistantId })}
          onClose={close}
        >
          <Trans>The old key ends at once. Until you give {name} the new one, it delivers nothing.</Trans>
        </Confirmation>
      )}
    </li>
  );
}
