import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { Arrival } from "./Arrival";
import { type Subscription, onSince } from "./settings";
import {
  getGetSubscriptionQueryKey,
  useSwitchNotificationsOff,
  useSwitchNotificationsOn,
} from "../api/generated/client/subscription/subscription";
import { Failure } from "../api/Failure";
import type { components } from "../api/generated/schema";
import { Panel } from "../identity/Panel";
import { SavedNote } from "../schedule/SavedNote";
import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";
import { useFocusAfterForm } from "../ui/focus";
import { QrCode } from "../ui/QrCode";
import { TextLink } from "../ui/TextLink";
import { Section } from "../ui/Section";

type Topic = components["schemas"]["NotificationTopic"];

interface NotificationsProps {
  notification: Subscription["notification"];
}

/** Notifications to the guardian's phone. Each time that they are switched on, the phone subscribes to a new secret topic. */
export function Notifications({ notification }: NotificationsProps) {
  const { enabled, server, since } = notification;
  const queries = useQueryClient();
  const reload = async () => queries.invalidateQueries({ queryKey: getGetSubscriptionQueryKey() });
  // The topic is shown once and not kept.
  const on = useSwitchNotificationsOn({ mutation: { onSuccess: reload, gcTime: 0 } });
  const off = useSwitchNotificationsOff({ mutation: { onSuccess: reload } });
  const area = useFocusAfterForm<HTMLElement>(on.data === undefined ? null : "notifications");
  const change = useRef<HTMLButtonElement>(null);
  if (server === undefined && !enabled) return null;
  return (
    <Section
      heading={t`Notifications on my phone`}
      level={3}
      ref={area}
      className="flex flex-col items-start gap-2"
    >
      <p className="text-sm text-muted">
        <Trans>It says that there is something to look at, without a name or words.</Trans>
      </p>
      {on.data !== undefined && <NewTopic topic={on.data.data} onDone={on.reset} />}
      {on.data === undefined && enabled && since !== undefined && <p>{onSince(since)}</p>}
      {on.data === undefined && enabled && server !== undefined && <Arrival channel="notification" />}
      {on.data === undefined && server === undefined && (
        <p>
          <Trans>The person who set up this server has switched notifications off.</Trans>
        </p>
      )}
      {on.data === undefined && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {server !== undefined && (
            <Button
              ref={change}
              look="plain"
              data-opens="notifications"
              busy={on.isPending}
              onClick={() => on.mutate()}
            >
              {enabled ? t`Make a new code` : t`Switch on`}
            </Button>
          )}
          {enabled && (
            <Button
              look="quiet"
              busy={off.isPending}
              onClick={() => {
                off.mutate();
                change.current?.focus();
              }}
            >
              <Trans>Switch off</Trans>
            </Button>
          )}
          <SavedNote shown={off.isSuccess && !enabled} />
        </div>
      )}
      {enabled && on.data === undefined && server !== undefined && (
        <p className="text-sm text-muted">
          <Trans>A new code ends the old one on all your phones.</Trans>
        </p>
      )}
      <Failure error={on.error} />
      <Failure error={off.error} />
    </Section>
  );
}

/** How a phone subscribes. */
function NewTopic({
  topic: { server, topic, link, qr_code: rows },
  onDone,
}: {
  topic: Topic;
  onDone: () => void;
}) {
  const shown = useRef<HTMLElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <Panel heading={t`Add Porchlight to the ntfy app`}>
      <ol className="flex list-decimal flex-col gap-2 ps-5">
        <li>
          <Trans>Install the app ntfy on your phone.</Trans>
        </li>
        <li>
          <Trans>
            On an Android phone, scan this code with the camera. If you read this on the phone,{" "}
            <TextLink isInline href={link}>
              open it in the ntfy app
            </TextLink>
            .
          </Trans>
        </li>
        <li>
          <Trans>
            On an iPhone, tap + in the app, and type the topic below. Choose &apos;Use another server&apos;,
            and type <code className="[overflow-wrap:anywhere]">{server}</code>.
          </Trans>
        </li>
        <li>
          <Trans>A test is on its way.</Trans>
        </li>
      </ol>
      {rows.length > 0 && <QrCode rows={rows} />}
      <code ref={shown} className="rounded-control bg-quiet px-3 py-2 text-sm [overflow-wrap:anywhere]">
        {topic}
      </code>
      <p className="max-w-[60ch] text-sm text-muted">
        <Trans>
          Keep the topic to yourself: with it, anybody can read and send these notifications. It is shown only
          now.
        </Trans>
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
        <Button look="plain" onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <span role="status" className="text-sm text-muted">
          {announcement}
        </span>
      </div>
    </Panel>
  );
}
