import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useLayoutEffect, useRef } from "react";

import { HoursFields } from "../schedule/HoursFields";
import { type Day, type QuietHours, dayName, shortName, week } from "../schedule/schedule";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { revealed, useFocusAfterChange } from "../ui/focus";
import { Form } from "../ui/Form";

export interface Draft extends QuietHours {
  /** The quiet hours that they replace; null for new ones. */
  replaces: QuietHours | null;
  refusal: string | null;
}

/** The defaults of new quiet hours: every night. */
export function startOf(): Draft {
  return { days: [...week], from: "20:00", to: "07:00", replaces: null, refusal: null };
}

interface HoursFormProps {
  draft: Draft;
  saving: boolean;
  onEdit: (draft: Draft) => void;
  onCancel: () => void;
  onSave: (hours: QuietHours) => void;
}

export function HoursForm({ draft, saving, onEdit, onCancel, onSave }: HoursFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusAfterChange(null, () => form.current?.querySelector("button"), { isReplacement: true });
  useLayoutEffect(() => revealed(form.current), []);
  const { days, from, to, refusal } = draft;
  const edit = (changed: Partial<QuietHours>) => onEdit({ ...draft, ...changed, refusal: null });
  const toggle = (day: Day) =>
    edit({ days: days.includes(day) ? days.filter((other) => other !== day) : [...days, day] });
  return (
    <Form
      ref={form}
      noValidate
      aria-label={t`Quiet hours`}
      className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4"
      onSubmit={() => {
        onSave({ days, from, to });
      }}
    >
      <fieldset>
        <legend className="pb-1.5 text-sm font-bold">
          <Trans>Starts on</Trans>
        </legend>
        <div className="flex flex-wrap gap-1.5">
          {week.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={days.includes(day)}
              onClick={() => toggle(day)}
              className="min-h-11 min-w-13 rounded-control border border-edge px-2 text-muted hover:bg-quiet aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:font-bold aria-pressed:text-on-primary forced-colors:aria-pressed:border-[Highlight] forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
            >
              <span aria-hidden="true">{shortName(day)}</span>
              <span className="sr-only">{dayName(day)}</span>
            </button>
          ))}
        </div>
      </fieldset>
      <HoursFields hours={draft} onEdit={edit} />
      {refusal !== null && <Alert kind="error">{refusal}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={saving}>
          <Trans>Save</Trans>
        </Button>
        <Button look="plain" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Form>
  );
}
