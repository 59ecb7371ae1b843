import { passesMidnight } from "./schedule";
import { clockTime } from "../format/dates";
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
          label="From"
          type="time"
          value={hours.from}
          onChange={({ target }) => onEdit({ from: target.value })}
        />
        <TextField
          label="To"
          type="time"
          value={hours.to}
          onChange={({ target }) => onEdit({ to: target.value })}
        />
      </div>
      {passesMidnight(hours) && (
        <p className="text-sm text-muted">
          These hours pass midnight: they end at {clockTime(hours.to)} on the next day.
        </p>
      )}
    </>
  );
}
