import { type ReactNode, useId } from "react";

import { Check } from "./Check";
import { Fieldset } from "./Fieldset";

interface RadioOption<Value> {
  value: Value;
  label: ReactNode;
  /** Rendered below it. */
  hint?: string;
  /** Rendered beside it. */
  beside?: ReactNode;
}

interface RadioGroupProps<Value> {
  legend: ReactNode;
  hidesLegend?: boolean;
  options: readonly RadioOption<Value>[];
  /** Undefined if none is chosen. */
  chosen: Value | undefined;
  onChoose: (value: Value) => void;
  className?: string;
  /** Whether the options are beside each other where there is room. */
  isRow?: boolean;
  /** Rendered after the options. */
  children?: ReactNode;
}

/** Options of which one is chosen. */
export function RadioGroup<Value extends string | number | boolean | null>({
  legend,
  hidesLegend = false,
  options,
  chosen,
  onChoose,
  className = "flex flex-col gap-1",
  isRow = false,
  children,
}: RadioGroupProps<Value>) {
  const name = useId();
  const radios = options.map(({ value, label, hint, beside }, index) => {
    const hintId = hint === undefined ? undefined : `${name}-${index}`;
    return (
      <div key={String(value)}>
        <div className="flex flex-wrap items-center gap-x-3">
          <Check
            type="radio"
            name={name}
            checked={value === chosen}
            aria-describedby={hintId}
            onChange={() => onChoose(value)}
          >
            {label}
          </Check>
          {beside}
        </div>
        {hint !== undefined && (
          <p id={hintId} className="ps-8 text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    );
  });
  return (
    <Fieldset legend={legend} hidesLegend={hidesLegend} className={className}>
      {isRow ? <div className="flex flex-wrap gap-x-6">{radios}</div> : radios}
      {children}
    </Fieldset>
  );
}
