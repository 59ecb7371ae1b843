import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { Choice, SaveFailure } from "./Choice";
import { useSave } from "./queries";
import type { Settings, Weekday } from "./settings";
import { clockTime, viewersZone } from "../format/dates";
import { SavedNote } from "../schedule/SavedNote";
import { dayName, week } from "../schedule/schedule";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { SelectField } from "../ui/SelectField";

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The weekly e-mail. */
export function Weekly({ settings }: { settings: Settings }) {
  const { enabled } = settings.weekly;
  return (
    <>
      <Choice checked={enabled} change={(on) => ({ kind: "weekly email", on, timeZone: viewersZone() })}>
        <Trans>Send me an email once a week</Trans>
      </Choice>
      {enabled && <DayAndHour settings={settings} />}
    </>
  );
}

/** It is saved with a button, because moving through a list with the arrow keys selects each entry on the way. */
function DayAndHour({ settings: { weekly } }: { settings: Settings }) {
  const { save, isSaved } = useSave();
  const [draft, setDraft] = useState<{ weekday: Weekday; hour: number } | null>(null);
  const { weekday, hour } = draft ?? weekly;
  return (
    <>
      <Form
        aria-label={t`Once a week`}
        className="flex flex-wrap items-end gap-3"
        onSubmit={() => {
          if (draft === null) return;
          setDraft(null);
          save.mutate({ kind: "weekly time", ...draft });
        }}
      >
        <SelectField
          label={t`Day`}
          value={weekday}
          onChange={(value) => {
            const chosen = week.find((day) => day === value);
            if (chosen !== undefined) setDraft({ weekday: chosen, hour });
          }}
        >
          {week.map((day) => (
            <option key={day} value={day}>
              {dayName(day)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t`Hour`}
          value={hour}
          onChange={(value) => setDraft({ weekday, hour: Number(value) })}
        >
          {hours.map((each) => (
            <option key={each} value={each}>
              {clockTime(`${String(each).padStart(2, "0")}:00`)}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="plain" disabled={draft === null}>
          <Trans>Save</Trans>
        </Button>
        <SavedNote shown={isSaved} />
      </Form>
      <SaveFailure save={save} />
    </>
  );
}
