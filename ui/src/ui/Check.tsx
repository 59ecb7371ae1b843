import type { ComponentProps } from "react";

/** A checkbox, or a radio button, with its label. */
export function Check({
  type = "checkbox",
  className = "",
  children,
  ...input
}: Omit<ComponentProps<"input">, "type"> & { type?: "checkbox" | "radio" }) {
  return (
    <label className={`flex min-h-11 items-center gap-3 [overflow-wrap:anywhere] ${className}`}>
      <input type={type} className="size-5 shrink-0 accent-primary" {...input} />
      <span className="min-w-0">{children}</span>
    </label>
  );
}
