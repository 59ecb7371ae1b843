import { type ReactNode, useId } from "react";

interface SelectFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The options. */
  children: ReactNode;
}

export function SelectField({ label, value, onChange, children }: SelectFieldProps) {
  const field = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={field} className="text-sm font-bold">
        {label}
      </label>
      <select
        id={field}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-11 max-w-full min-w-0 self-start rounded-control border border-edge bg-surface px-3 text-base"
      >
        {children}
      </select>
    </div>
  );
}
