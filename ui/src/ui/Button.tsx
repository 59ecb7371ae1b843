import { msg } from "@lingui/core/macro";
import { type ButtonHTMLAttributes, type Ref, useId } from "react";

import { type Words, inPagesLanguage } from "./language";

/** With forced colours a transparent border gets a colour, so that every button has an edge. */
const looks = {
  primary:
    "border-transparent bg-primary text-on-primary hover:bg-primary-strong aria-disabled:bg-quiet aria-disabled:text-muted",
  plain: "border-edge text-ink hover:bg-quiet aria-disabled:border-line aria-disabled:text-muted",
  /** For what can't be undone. */
  danger: "border-danger text-danger hover:bg-quiet aria-disabled:border-line aria-disabled:text-muted",
  quiet: "border-transparent text-primary hover:bg-quiet aria-disabled:text-muted",
} as const;

/** The label of most busy buttons. */
export const BUSY = msg`One moment...`;

export type ButtonLook = keyof typeof looks;

/** At least 44 px high, for fingers. */
export function buttonClass(look: ButtonLook): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-4 font-bold transition-colors duration-150 ${looks[look]}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  ref?: Ref<HTMLButtonElement>;
  /** The action is running: the button is disabled until it is done. */
  busy?: boolean;
  /** The label while busy. The button is always wide enough for both labels. */
  busyLabel?: Words;
  /** The id of what it acts on, which its accessible name ends with. */
  about?: string;
}

/**
 * A disabled button ignores clicks but keeps the focus, so that keyboard users
 * don't lose their place. The disabled colours of a busy button are delayed, so that a quick action doesn't flicker.
 */
export function Button({
  look = "primary",
  type = "button",
  className = "",
  disabled = false,
  busy = false,
  busyLabel,
  about,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const inactive = disabled || busy;
  const id = useId();
  return (
    <button
      {...(about !== undefined && { id, "aria-labelledby": `${id} ${about}` })}
      // oxlint-disable-next-line react/button-has-type -- the default is "button"; a form says "submit"
      type={type}
      aria-disabled={inactive}
      aria-busy={busy}
      onClick={(event) => {
        // Also keeps a submit button from submitting.
        if (inactive) event.preventDefault();
        else onClick?.(event);
      }}
      className={`${buttonClass(look)} aria-busy:delay-200 forced-colors:aria-disabled:border-[GrayText] forced-colors:aria-disabled:text-[GrayText] ${className}`}
      {...rest}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="grid *:col-start-1 *:row-start-1">
          <Label shown={!busy}>{children}</Label>
          <Label shown={busy}>{inPagesLanguage(busyLabel)}</Label>
        </span>
      )}
    </button>
  );
}

/** A hidden label still takes its space. */
function Label({ shown, children }: { shown: boolean; children: React.ReactNode }) {
  return (
    <span aria-hidden={!shown} className={shown ? "" : "invisible"}>
      {children}
    </span>
  );
}
