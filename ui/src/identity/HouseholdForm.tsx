import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { useIdentity } from "./identity";
import { NO_PROFILE, ProfileFields, readProfile, type TypedProfile } from "./ProfileFields";
import { RetentionField, retentionIn } from "./RetentionField";
import { Failure } from "../api/Failure";
import { useGetSignInMethods } from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { viewersZone } from "../format/dates";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";
import { EmailField } from "../ui/EmailField";

const MOST_CHILDREN = 20;

/** Asks for the first guardian's name and address, and the children. */
export function HouseholdForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { beginSetup } = useIdentity();
  const methods = useGetSignInMethods().data?.data;
  const begin = useMutation({ mutationFn: beginSetup, onSuccess: onDone });
  const [children, setChildren] = useState<readonly TypedChild[]>([NO_CHILD]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const edit = (index: number, edited: Partial<TypedChild>) => {
    setRefusal(null);
    setChildren(children.map((child, place) => (place === index ? { ...child, ...edited } : child)));
  };
  const submit = (typed: FormData) => {
    if (begin.isPending) return;
    const read = readChildren(children);
    setRefusal("refusal" in read ? read.refusal : null);
    if ("refusal" in read) return;
    begin.mutate({
      token,
      name: text(typed.get("name")),
      email: text(typed.get("email")),
      children: read.children,
      time_zone: viewersZone(),
      ...retentionIn(typed),
    });
  };
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField label={t`Your name`} name="name" autoComplete="name" maxLength={200} required />
      <EmailField label={t`Your email address`} required />
      {methods?.email_link === false && (
        <p className="-mt-3 text-sm text-muted">
          <Trans>This server sends no emails. The address tells you apart from other parents.</Trans>
        </p>
      )}
      {children.map(({ name, ...profile }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the fields are never reordered
        <div key={index} className="flex flex-col gap-5">
          <TextField
            label={index === 0 ? t`Your child's name` : t`The name of child ${{ number: index + 1 }}`}
            autoComplete="off"
            maxLength={200}
            required={index === 0}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the parent has just added this field
            autoFocus={index > 0}
            value={name}
            onChange={({ target }) => edit(index, { name: target.value })}
          />
          <ProfileFields child={name.trim()} typed={profile} onChange={(edited) => edit(index, edited)} />
        </div>
      ))}
      {children.length < MOST_CHILDREN && (
        <Button look="plain" className="self-start" onClick={() => setChildren([...children, NO_CHILD])}>
          <Trans>Add a child</Trans>
        </Button>
      )}
      <RetentionField label={t`How long conversations are kept`} />
      <Button type="submit" busy={begin.isPending} busyLabel={BUSY}>
        <Trans>Go on</Trans>
      </Button>
      {refusal !== null && (
        <Alert kind="error">
          <bdi>{refusal.child}</bdi>: {refusal.sentence}
        </Alert>
      )}
      <Failure error={begin.error} />
    </Form>
  );
}

interface TypedChild extends TypedProfile {
  name: string;
}

const NO_CHILD: TypedChild = { name: "", ...NO_PROFILE };

/** Why what was typed about the child with this name can't be sent. */
interface Refusal {
  child: string;
  sentence: string;
}

type ReadChildren = { children: components["schemas"]["SetupChild"][] } | { refusal: Refusal };

/** The children that have a name. */
function readChildren(typed: readonly TypedChild[]): ReadChildren {
  const children = [];
  for (const { name, ...profile } of typed) {
    if (name.trim() === "") continue;
    const read = readProfile(profile);
    if ("refusal" in read) return { refusal: { child: name.trim(), sentence: read.refusal } };
    children.push({ name: name.trim(), ...read.profile });
  }
  return { children };
}

function text(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.trim() : "";
}
