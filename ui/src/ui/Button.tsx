import type { ButtonHTMLAttributes, Ref } from "react";

const looks = {
  primary: "bg-primary text-on-primary hover:bg-primary-strong disabled:bg-quiet disabled:text-muted",
  plain: "border border-edge text-ink hover:bg-quiet disabled:border-line disabled:text-muted",
  quiet: "text-primary hover:bg-quiet disabled:text-muted",
  danger: "border border-danger text-danger hover:bg-danger-glow disabled:border-line disabled:text-muted",
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof looks;
  ref?: Ref<HTMLButtonElement>;
}

/** A button of at least 44 px, for fingers. */
export function Button({ look = "primary", type = "button", className = "", ...rest }: ButtonProps) {
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- the default is "button"; a form says "submit"
      type={type}
      className={`inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4 font-bold transition-colors duration-150 ${looks[look]} ${className}`}
      {...rest}
    />
  );
}
