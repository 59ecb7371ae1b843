import { olderAreDeleted, retentionChoices, retentionName } from "../format/retention";
import { SelectField } from "../ui/SelectField";

interface RetentionFieldProps {
  label: string;
}

/** Asks for how long conversations are kept, as the form's field `retention`: a number of days, or nothing for ever. */
export function RetentionField({ label }: RetentionFieldProps) {
  return (
    <SelectField label={label} name="retention" defaultValue="365" hint={olderAreDeleted()}>
      {retentionChoices.map((days) => (
        <option key={days} value={days ?? ""}>
          {retentionName(days)}
        </option>
      ))}
    </SelectField>
  );
}

/** What was chosen, for a request that adds a child. */
export function retentionIn(typed: FormData): { retention_days?: 30 | 90 | 365 } {
  const chosen = retentionChoices.find((days) => days !== null && String(days) === typed.get("retention"));
  return typeof chosen === "number" ? { retention_days: chosen } : {};
}
