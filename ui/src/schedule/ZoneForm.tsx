import { type ReactNode, useId, useState } from "react";

import { zonesWith } from "./zones";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { selectClass } from "../ui/SelectField";

interface ZoneFormProps {
  label: ReactNode;
  labelClass: string;
  timeZone: string;
  saving?: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  /** Shown while no other zone is chosen. */
  hint?: ReactNode;
  onSave: (timeZone: string) => void;
}

/** It is saved with a button, because moving through the list with the arrow keys selects each zone on the way. */
export function ZoneForm({
  label,
  labelClass,
  timeZone,
  saving = false,
  saved,
  hint,
  onSave,
}: ZoneFormProps) {
  const field = useId();
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <>
      <Form
        className="flex flex-col gap-1.5"
        onSubmit={() => {
          if (draft === null) return;
          setDraft(null);
          onSave(draft);
        }}
      >
        <label htmlFor={field} className={`text-sm ${labelClass}`}>
          {label}
        </label>
        <div className="flex flex-wrap gap-2">
          <select
            id={field}
            value={draft ?? timeZone}
            onChange={({ target }) => setDraft(target.value === timeZone ? null : target.value)}
            className={selectClass}
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
      {draft === null && hint}
    </>
  );
}
