import type { InputHTMLAttributes, ReactNode } from "react";

import { Form } from "../ui/Form";
import { EmailField } from "../ui/EmailField";

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
      <EmailField label={label} required={required} {...input} />
      {children}
    </Form>
  );
}
