import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { Choice, SaveFailure } from "./Choice";
import { Notifications } from "./Notifications";
import { useChosen, useSave } from "./queries";
import { QuietHours } from "./QuietHours";
import { type AlertKind, type Push, type Settings, isNotifiedAtOnce, type Subscription } from "./settings";
import { EndedDevice, ThisDevice } from "./ThisDevice";
import type { Child } from "../children/children";
import { SavedNote } from "../schedule/SavedNote";
import { Fieldset } from "../ui/Fieldset";
import { RadioGroup } from "../ui/RadioGroup";

interface AtOnceProps {
  subscription: Subscription;
  push: Push;
  siblings: readonly Child[];
  /** The guardian's address; null if the server sends no e-mails. */
  email: string | null;
}

/** The messages that the guardian gets as soon as an alert arrives. */
export function AtOnce({ subscription, push, siblings, email }: AtOnceProps) {
  const { settings } = subscription;
  return (
    <>
      {email !== null && (
        <Choice
          checked={settings.at_once.email}
          change={(on) => ({ kind: "email at once", on })}
          hint={email}
        >
          <Trans>Send me an email</Trans>
        </Choice>
      )}
      {push.since === undefined && push.ended_since !== undefined && <EndedDevice since={push.ended_since} />}
      <ThisDevice push={push} />
      <Notifications notification={subscription.notification} />
      {isNotifiedAtOnce(subscription, push) && (
        <>
          <Fieldset legend={t`About which alerts?`} className={groupClass}>
            {kinds.map(({ alerts, label }) => (
              <Choice
                key={alerts}
                checked={settings.at_once.kinds.includes(alerts)}
                change={(on) => ({ kind: "alerts of a kind", alerts, on })}
              >
                {i18n._(label)}
              </Choice>
            ))}
          </Fieldset>
          {siblings.length > 1 && <Children settings={settings} siblings={siblings} />}
          <QuietHours settings={settings} />
          {settings.at_once.kinds.includes("reviewer") && (
            <Choice checked={settings.at_once.urgent_passes} change={(on) => ({ kind: "urgent alerts", on })}>
              <Trans>What the AI reader calls urgent also comes in my quiet hours</Trans>
            </Choice>
          )}
        </>
      )}
    </>
  );
}

const kinds: readonly { alerts: AlertKind; label: MessageDescriptor }[] = [
  { alerts: "phrase", label: msg`A phrase you watch for was said` },
  { alerts: "outside_times", label: msg`Talking outside your times` },
  { alerts: "reviewer", label: msg`The AI reader found something` },
];

function Children({ settings, siblings }: { settings: Settings; siblings: readonly Child[] }) {
  const { save, isSaved } = useSave();
  const children = siblings.map(({ child_id: id }) => id);
  const chosen = settings.at_once.children;
  const { shown: isOfAll, choose } = useChosen(chosen === undefined, save);
  return (
    <RadioGroup
      legend={t`About which children?`}
      options={[true, false].map((ofAll) => ({
        value: ofAll,
        label: ofAll ? t`All, and those that I add later` : t`Only some`,
        beside: isOfAll === ofAll && <SavedNote shown={isSaved} />,
      }))}
      chosen={isOfAll}
      onChoose={(ofAll) => choose(ofAll, { kind: "all children", on: ofAll, children })}
      className={groupClass}
    >
      <SaveFailure save={save} />
      {chosen !== undefined && (
        <div role="group" aria-label={t`Only some`} className="flex flex-col ps-8">
          {siblings.map(({ child_id: childId, name }) => (
            <Choice
              key={childId}
              checked={chosen.includes(childId)}
              change={(on) => ({ kind: "one child", childId, on, children })}
            >
              <bdi>{name}</bdi>
            </Choice>
          ))}
        </div>
      )}
    </RadioGroup>
  );
}

const groupClass = "flex flex-col pt-1";
