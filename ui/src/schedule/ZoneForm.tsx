import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useMemo, useState } from "react";

import { byCity, cityOf, zonesOf, zonesWith } from "./zones";
import { zoneName } from "../format/dates";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { QuietLine } from "../ui/QuietLine";
import { selectClass } from "../ui/SelectField";
import { TextField } from "../ui/TextField";
import { nothingFound } from "../format/nothing-found";

interface ZoneFormProps {
  /** The list's label, or the id of the heading that labels it. */
  label: { text: string } | { heading: string };
  timeZone: string;
  saving?: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  /** Shown while no other zone is chosen. */
  hint?: ReactNode;
  onSave: (timeZone: string) => void;
}

/**
 * A search by city chooses the first zone that it finds. It is saved with a button, because moving through the list with
 * the arrow keys selects each zone on the way.
 */
export function ZoneForm({ label, timeZone, saving = false, saved, hint, onSave }: ZoneFormProps) {
  const field = useId();
  const labelId = "heading" in label ? label.heading : `${field}-label`;
  const [city, setCity] = useState("");
  /** Of the list. */
  const [picked, setPicked] = useState<string | null>(null);
  const all = useMemo(() => byCity(zonesWith(timeZone)), [timeZone]);
  const found = zonesOf(all, city);
  const chosen = picked ?? (city.trim() === "" ? timeZone : (found[0] ?? timeZone));
  const draft = chosen === timeZone ? null : chosen;
  return (
    <>
      <Form
        className="flex flex-col gap-3"
        onSubmit={() => {
          if (draft === null) return;
          setPicked(null);
          setCity("");
          onSave(draft);
        }}
      >
        <div className="max-w-xs">
          <TextField
            label={t`Search by city`}
            type="search"
            autoComplete="off"
            value={city}
            onChange={({ target }) => {
              setPicked(null);
              setCity(target.value);
            }}
          />
        </div>
        <QuietLine sentence={found.length === 0 ? `${nothingFound()} ${t`Try a larger city.`}` : null} />
        <div className="flex flex-col gap-1.5">
          {"text" in label && (
            <label id={labelId} htmlFor={field} className="text-sm font-bold">
              {label.text}
            </label>
          )}
          <div className="flex flex-wrap gap-2">
            <div className="flex min-w-0 flex-col items-start gap-1.5">
              <select
                id={field}
                value={chosen}
                aria-labelledby={labelId}
                aria-describedby={`${field}-name`}
                onChange={({ target }) => setPicked(target.value)}
                className={selectClass}
              >
                {(found.length === 0 ? all : found).map((zone) => (
                  <option key={zone} value={zone}>
                    {cityOf(zone)}
                  </option>
                ))}
              </select>
              <p id={`${field}-name`} className="text-sm text-muted">
                {zoneName(chosen)}
              </p>
            </div>
            <Button
              type="submit"
              look="plain"
              about={labelId}
              disabled={draft === null || saving}
              className="self-start"
            >
              <Trans>Save</Trans>
            </Button>
            {saved}
          </div>
        </div>
      </Form>
      {draft === null && hint}
    </>
  );
}
