import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useRef, useState } from "react";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import { type OwnQuietHours, type Settings } from "./settings";
import { viewersZone } from "../format/dates";
import { HoursFields } from "../schedule/HoursFields";
import { SavedNote } from "../schedule/SavedNote";
import { hoursAndNextDay, hoursInWords, refusalOfHours } from "../schedule/schedule";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { useFocusAfterForm } from "../ui/focus";
import { UndoLine } from "../ui/UndoLine";
import { Section } from "../ui/Section";

/** The hours of a new form. */
const NIGHT: OwnQuietHours = { from: "22:00", to: "07:00" };

/** The hours of each day in which nothing comes at once. */
export function QuietHours({ settings }: { settings: Settings }) {
  const { save, isSaved } = useSave();
  const [draft, setDraft] = useState<OwnQuietHours | null>(null);
  const [removed, setRemoved] = useState<OwnQuietHours | null>(null);
  const area = useFocusAfterForm<HTMLDivElement>(draft === null ? null : "quiet hours");
  const change = useRef<HTMLButtonElement>(null);
  const hours = settings.at_once.quiet_hours;
  const put = (next: OwnQuietHours | null) => {
    setDraft(null);
    setRemoved(next === null && hours !== undefined ? hours : null);
    save.mutate({ kind: "quiet hours", hours: next, timeZone: viewersZone() });
    change.current?.focus();
  };
  return (
    <Section heading={t`Quiet hours`} level={3} ref={area} className="flex flex-col gap-2">
      {draft === null ? (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {hours !== undefined && <p className="pe-2 tabular-nums">{hoursAndNextDay(hours)}</p>}
          <Button
            ref={change}
            look="plain"
            data-opens="quiet hours"
            onClick={() => {
              setRemoved(null);
              setDraft(hours ?? NIGHT);
            }}
          >
            {hours === undefined ? t`Add quiet hours` : t`Change`}
          </Button>
          {hours !== undefined && (
            <Button look="quiet" onClick={() => put(null)}>
              <Trans>Remove</Trans>
            </Button>
          )}
          <SavedNote shown={isSaved} />
        </div>
      ) : (
        <HoursForm draft={draft} onEdit={setDraft} onSave={put} />
      )}
      <div role="status">
        {removed !== null && hours === undefined && (
          <UndoLine onUndo={() => put(removed)}>
            <Trans>Removed: {{ what: hoursInWords(removed) }}.</Trans>
          </UndoLine>
        )}
      </div>
      <SaveFailure save={save} />
    </Section>
  );
}

interface HoursFormProps {
  draft: OwnQuietHours;
  /** Null closes the form. */
  onEdit: (draft: OwnQuietHours | null) => void;
  onSave: (hours: OwnQuietHours) => void;
}

function HoursForm({ draft, onEdit, onSave }: HoursFormProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const edit = (changed: Partial<OwnQuietHours>) => {
    setRefusal(null);
    onEdit({ ...draft, ...changed });
  };
  return (
    <Form
      noValidate
      aria-label={t`Quiet hours`}
      className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4"
      onSubmit={() => {
        const refused = refusalOfHours(draft);
        if (refused === null) onSave(draft);
        else setRefusal(refused);
      }}
    >
      <HoursFields hours={draft} takesFocus onEdit={edit} />
      {refusal !== null && <Alert kind="error">{refusal}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit">
          <Trans>Save</Trans>
        </Button>
        <Button look="plain" onClick={() => onEdit(null)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Form>
  );
}
