import { type ReactNode, useId, useState } from "react";

import type { TimesAction } from "../times/queries";
import { zonesWith } from "../times/zones";
import { isUtc, viewersZone } from "../format/dates";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";

interface TimeZoneFormProps {
  name: string;
  timeZone: string;
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

/**
 * The child's time zone. It is saved with a button, because moving through the list with the arrow keys selects each zone on
 * the way.
 */
export function TimeZoneForm({ name, timeZone, saving, saved, dispatch }: TimeZoneFormProps) {
  const field = useId();
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <Form
      className="flex flex-col gap-1.5"
      onSubmit={() => {
        if (draft === null) return;
        setDraft(null);
        dispatch({ kind: "change", change: { kind: "set time zone", timeZone: draft } });
      }}
    >
      <label htmlFor={field} className="text-sm text-muted">
        Time zone of <bdi>{name}</bdi>
      </label>
      <div className="flex flex-wrap gap-2">
        <select
          id={field}
          value={draft ?? timeZone}
          onChange={({ target }) => setDraft(target.value === timeZone ? null : target.value)}
          className="min-h-11 max-w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-base"
        >
          {zonesWith(timeZone).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
        <Button type="submit" look="plain" disabled={draft === null || saving}>
          Save time zone
        </Button>
        {saved}
      </div>
    </Form>
  );
}

interface WrongZoneProps {
  name: string;
  timeZone: string;
  saving: boolean;
  onChange: (timeZone: string) => void;
}

/** Offers this device's time zone to a child who has UTC: the default of many servers, where nobody lives. */
export function WrongZone({ name, timeZone, saving, onChange }: WrongZoneProps) {
  const here = viewersZone();
  if (!isUtc(timeZone) || isUtc(here)) return null;
  return (
    <div className="flex flex-col items-start gap-2 rounded-surface bg-lamp-glow px-4 py-3 [overflow-wrap:anywhere]">
      <p>
        The days and quiet hours of <bdi>{name}</bdi> are in {timeZone}. This device is in {here}.
      </p>
      <Button disabled={saving} className="max-w-full" onClick={() => onChange(here)}>
        Use {here}
      </Button>
    </div>
  );
}
