import { useId, useState } from "react";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import { viewersZone } from "../format/dates";
import { SavedNote } from "../times/SavedNote";
import { zonesWith } from "../times/zones";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";

/** The guardian's own time zone, for quiet hours and the weekly e-mail. It is saved with a button, like a child's. */
export function TimeZone({ timeZone }: { timeZone: string }) {
  const { save, isSaved } = useSave();
  const [draft, setDraft] = useState<string | null>(null);
  const field = useId();
  const here = viewersZone();
  return (
    <>
      <Form
        className="flex flex-col gap-1.5"
        onSubmit={() => {
          if (draft === null) return;
          setDraft(null);
          save.mutate({ kind: "time zone", timeZone: draft });
        }}
      >
        <label htmlFor={field} className="text-sm font-bold">
          Time zone
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
          <Button type="submit" look="plain" disabled={draft === null}>
            Save time zone
          </Button>
          <SavedNote shown={isSaved} />
        </div>
      </Form>
      {here !== timeZone && draft === null && <p className="text-sm text-muted">This device is in {here}.</p>}
      <SaveFailure save={save} />
    </>
  );
}
