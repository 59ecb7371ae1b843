import type { InputHTMLAttributes, ReactNode } from "react";

import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

interface EmailFormProps extends Pick<InputHTMLAttributes<HTMLInputElement>, "defaultValue" | "disabled"> {
  label: string;
  /** The browser checks the address; otherwise it may be empty. */
  required?: boolean;
  onEmail: (email: string) => void;
  children: ReactNode;
}

export function EmailForm({ label, required = false, onEmail, children, ...input }: EmailFormProps) {
  const submit = (typed: FormData) => {
    const email = typed.get("email");
    if (typeof email === "string") onEmail(email.trim());
  };
  return (
    <Form noValidate={!required} onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={label}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        required={required}
        {...input}
      />
      {children}
    </Form>
  );
}
