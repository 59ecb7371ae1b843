import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { isUtc, viewersZone, zoneName } from "../format/dates";
import type { TimesAction } from "../schedule/queries";
import { ZoneForm } from "../schedule/ZoneForm";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";

interface TimeZoneFormProps {
  /** Its heading's id. */
  heading: string;
  timeZone: string;
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

/** The child's time zone. */
export function TimeZoneForm({ heading, timeZone, saving, saved, dispatch }: TimeZoneFormProps) {
  return (
    <ZoneForm
      label={{ heading }}
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
  const zone = viewersZone();
  if (!isUtc(timeZone) || isUtc(zone)) return null;
  const [there, here] = [zoneName(timeZone), zoneName(zone)];
  return (
    <Notice className="flex flex-col items-start gap-2 py-3">
      <p>
        <Trans>
          <bdi>{name}</bdi>&apos;s days and quiet hours are in {there}, this device is in {here}.
        </Trans>
      </p>
      <Button disabled={saving} className="max-w-full" onClick={() => onChange(zone)}>
        <Trans>Use {here}</Trans>
      </Button>
    </Notice>
  );
}
