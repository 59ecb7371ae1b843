import type { ReactNode } from "react";

interface FieldsetProps {
  legend: ReactNode;
  /** Whether only screen readers read the legend. */
  hidesLegend?: boolean;
  className?: string;
  children: ReactNode;
}

export function Fieldset({
  legend,
  hidesLegend = false,
  className = "flex flex-col gap-1",
  children,
}: FieldsetProps) {
  return (
    <fieldset className={className}>
      <legend className={hidesLegend ? "sr-only" : "text-sm font-bold"}>{legend}</legend>
      {children}
    </fieldset>
  );
}
