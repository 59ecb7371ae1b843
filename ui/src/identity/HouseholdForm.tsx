import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { useIdentity } from "./identity";
import { RetentionField, retentionIn } from "./RetentionField";
import { Failure } from "../api/Failure";
import { useListSignInMethods } from "../api/generated/client/identity/identity";
import { viewersZone } from "../format/dates";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";
import { EmailField } from "../ui/EmailField";

const MOST_CHILDREN = 20;

/** Asks for the first guardian's name and address, and the children's names. */
export function HouseholdForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { beginSetup } = useIdentity();
  const methods = useListSignInMethods().data?.data;
  const begin = useMutation({ mutationFn: beginSetup, onSuccess: onDone });
  const [children, setChildren] = useState(1);
  const submit = (typed: FormData) => {
    if (begin.isPending) return;
    begin.mutate({
      token,
      name: text(typed.get("name")),
      email: text(typed.get("email")),
      children: typed.getAll("child").map(text).filter(Boolean),
      time_zone: viewersZone(),
      ...retentionIn(typed),
    });
  };
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required />
      <EmailField label="Your e-mail address" required />
      {methods?.email_link === false && (
        <p className="-mt-3 text-sm text-muted">
          This server sends no emails. The address tells you apart from other parents.
        </p>
      )}
      {Array.from({ length: children }, (_, index) => (
        <TextField
          key={index}
          label={index === 0 ? "Your child's name" : `The name of child ${index + 1}`}
          name="child"
          autoComplete="off"
          maxLength={200}
          required={index === 0}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the parent has just added this field
          autoFocus={index > 0}
        />
      ))}
      {children < MOST_CHILDREN && (
        <Button look="plain" className="self-start" onClick={() => setChildren(children + 1)}>
          Another child
        </Button>
      )}
      <RetentionField label="How long to keep conversations" />
      <Button type="submit" busy={begin.isPending} busyLabel="Setting up...">
        Go on
      </Button>
      <Failure error={begin.error} text="Porchlight could not be set up." />
    </Form>
  );
}

function text(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.trim() : "";
}
