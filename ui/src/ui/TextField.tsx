import { type InputHTMLAttributes, useId } from "react";

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
}

/** A text input with its label above. */
export function TextField({ label, className = "", ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-bold">
        {label}
      </label>
      <input
        id={id}
        className={`min-h-11 w-full rounded-control border border-edge bg-surface px-3.5 text-base placeholder:text-muted disabled:border-line disabled:bg-quiet disabled:text-muted ${className}`}
        {...rest}
      />
    </div>
  );
}
