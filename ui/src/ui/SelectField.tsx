import { type ReactNode, useId } from "react";

export const selectClass =
  "min-h-11 max-w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-base";

interface SelectFieldProps {
  label: string;
  /** Whether it is read out, and not shown. */
  hidesLabel?: boolean;
  hint?: string;
  /** The field's name in its form's data. */
  name?: string;
  value?: string | number;
  defaultValue?: string;
  onChange?: (value: string) => void;
  /** The options. */
  children: ReactNode;
}

export function SelectField({
  label,
  hidesLabel = false,
  hint,
  name,
  value,
  defaultValue,
  onChange,
  children,
}: SelectFieldProps) {
  const field = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={field} className={hidesLabel ? "sr-only" : "text-sm font-bold"}>
        {label}
      </label>
      <select
        id={field}
        name={name}
        value={value}
        defaultValue={defaultValue}
        onChange={onChange && (({ target }) => onChange(target.value))}
        aria-describedby={hint === undefined ? undefined : `${field}-hint`}
        className={`${selectClass} self-start`}
      >
        {children}
      </select>
      {hint !== undefined && (
        <p id={`${field}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
