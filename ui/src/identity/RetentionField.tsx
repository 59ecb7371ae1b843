import { useId } from "react";

import { retentionChoices, retentionName } from "../format/retention";

interface RetentionFieldProps {
  label: string;
}

/** Asks for how long conversations are kept, as the form's field `retention`: a number of days, or nothing for ever. */
export function RetentionField({ label }: RetentionFieldProps) {
  const field = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={field} className="text-sm font-bold">
        {label}
      </label>
      <select
        id={field}
        name="retention"
        defaultValue="365"
        aria-describedby={`${field}-hint`}
        className="min-h-11 max-w-full min-w-0 self-start rounded-control border border-edge bg-surface px-3 text-base"
      >
        {retentionChoices.map((days) => (
          <option key={days} value={days ?? ""}>
            {retentionName(days)}
          </option>
        ))}
      </select>
      <p id={`${field}-hint`} className="text-sm text-muted">
        Older ones are deleted. You can keep single ones longer, and change this at any time.
      </p>
    </div>
  );
}

/** What was chosen, for a request that adds a child. */
export function retentionIn(typed: FormData): { retention_days?: 30 | 90 | 365 } {
  const chosen = retentionChoices.find((days) => days !== null && String(days) === typed.get("retention"));
  return typeof chosen === "number" ? { retention_days: chosen } : {};
}
