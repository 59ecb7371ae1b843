import { t } from "@lingui/core/macro";

import { hoursAndNextDay, passesMidnight } from "./schedule";
import { TextField } from "../ui/TextField";

interface Hours {
  from: string;
  to: string;
}

interface HoursFieldsProps {
  hours: Hours;
  takesFocus?: boolean;
  onEdit: (changed: Partial<Hours>) => void;
}

/** The beginning and the end of quiet hours. */
export function HoursFields({ hours, takesFocus = false, onEdit }: HoursFieldsProps) {
  return (
    <>
      <div className="flex flex-wrap gap-4">
        <TextField
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where it replaces the button that was pressed
          autoFocus={takesFocus}
          label={t({ message: "From", context: "quiet hours" })}
          type="time"
          value={hours.from}
          onChange={({ target }) => onEdit({ from: target.value })}
        />
        <TextField
          label={t({ message: "To", context: "quiet hours" })}
          type="time"
          value={hours.to}
          onChange={({ target }) => onEdit({ to: target.value })}
        />
      </div>
      {passesMidnight(hours) && <p className="text-sm text-muted">{hoursAndNextDay(hours)}</p>}
    </>
  );
}
