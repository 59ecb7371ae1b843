import type { ReactNode, SubmitEvent } from "react";

import { TextField } from "../ui/TextField";

interface CodeFormProps {
  /** For a submit button outside the form. */
  id?: string;
  label: string;
  /** Whether the code has digits only. */
  digits?: boolean;
  /** Whether the browser may take the code from a message. */
  fromMessage?: boolean;
  /** Whether the form replaces the button that had the focus, and so takes it. */
  takesFocus?: boolean;
  onCode: (code: string) => void;
  /** What follows the field. */
  children?: ReactNode;
}

/** Asks for a code. */
export function CodeForm({
  id,
  label,
  digits = false,
  fromMessage = false,
  takesFocus = true,
  onCode,
  children,
}: CodeFormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get("code");
    if (typeof code === "string") onCode(code.trim());
  };
  return (
    <form id={id} onSubmit={submit} className="appear flex flex-col gap-5">
      <TextField
        label={label}
        name="code"
        maxLength={64}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
        autoFocus={takesFocus}
        autoComplete={fromMessage ? "one-time-code" : "off"}
        inputMode={digits ? "numeric" : "text"}
        autoCapitalize="characters"
        spellCheck={false}
      />
      {children}
    </form>
  );
}
