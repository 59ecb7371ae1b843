import type { ReactNode } from "react";

import { isUtc, viewersZone } from "../format/dates";
import type { TimesAction } from "../schedule/queries";
import { ZoneForm } from "../schedule/ZoneForm";
import { Button } from "../ui/Button";

interface TimeZoneFormProps {
  name: string;
  timeZone: string;
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

/** The child's time zone. */
export function TimeZoneForm({ name, timeZone, saving, saved, dispatch }: TimeZoneFormProps) {
  return (
    <ZoneForm
      label={
        <>
          Time zone of <bdi>{name}</bdi>
        </>
      }
      labelClass="text-muted"
      timeZone={timeZone}
      saving={saving}
      saved={saved}
      onSave={(chosen) => dispatch({ kind: "change", change: { kind: "set time zone", timeZone: chosen } })}
    />
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
