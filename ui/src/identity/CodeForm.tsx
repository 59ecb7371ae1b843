import type { ReactNode } from "react";

import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

const kinds = {
  recovery: { autoComplete: "off", inputMode: "text" },
  recoveryOrLink: { autoComplete: "off", inputMode: "text", maxLength: 2000 },
  // The browser may suggest the code from a message.
  email: { autoComplete: "one-time-code", inputMode: "numeric" },
  shown: { autoComplete: "off", inputMode: "numeric", className: "max-w-40 tracking-[0.25em] tabular-nums" },
} as const;

interface CodeFormProps {
  /** For a submit button outside the form. */
  id?: string;
  label: string;
  /** A recovery code, one or a pasted link, the code of an e-mail, or the digits that another device shows. */
  kind: keyof typeof kinds;
  /** Whether the form replaces the button that had the focus, and so takes it. */
  takesFocus?: boolean;
  onCode: (code: string) => void;
  /** Rendered after the field. */
  children?: ReactNode;
}

export function CodeForm({ id, label, kind, takesFocus = true, onCode, children }: CodeFormProps) {
  const submit = (typed: FormData) => {
    const code = typed.get("code");
    if (typeof code === "string") onCode(code.trim());
  };
  return (
    <Form id={id} onSubmit={submit} className="appear flex flex-col gap-5">
      <TextField
        label={label}
        name="code"
        maxLength={64}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
        autoFocus={takesFocus}
        autoCapitalize="characters"
        spellCheck={false}
        {...kinds[kind]}
      />
      {children}
    </Form>
  );
}
