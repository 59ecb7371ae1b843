import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { ChildChoice } from "./ChildChoice";
import { useInvalidateHousehold } from "./queries";
import { Failure } from "../api/Failure";
import { useInviteGuardian } from "../api/generated/client/household/household";
import { useGetSignInMethods } from "../api/generated/client/identity/identity";
import type { Child } from "../children/children";
import { ShownLink } from "../identity/ShownLink";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { revealed } from "../ui/focus";
import { Form } from "../ui/Form";
import { EmailField } from "../ui/EmailField";

interface InviteFormProps {
  child: Child;
  siblings: readonly Child[];
  onClose: () => void;
}

/** Invites another guardian: by an e-mail, or by a QR code that is shown. */
export function InviteForm({ child, siblings, onClose }: InviteFormProps) {
  const invalidateHousehold = useInvalidateHousehold();
  const methods = useGetSignInMethods();
  const [chosen, setChosen] = useState<readonly number[]>([child.child_id]);
  const invite = useInviteGuardian({
    mutation: {
      onSuccess: invalidateHousehold,
      // Don't cache the link.
      gcTime: 0,
    },
  });
  const send = (email: string) => {
    if (invite.isPending) return;
    invite.mutate({ data: { children: [...chosen], ...(email !== "" && { email }) } });
  };
  const submit = (typed: FormData) => {
    const email = typed.get("email");
    send(typeof email === "string" ? email.trim() : "");
  };
  if (invite.isSuccess) {
    const { shown } = invite.data.data;
    const { email = "" } = invite.variables.data;
    return shown === undefined ? (
      <div className="flex flex-col gap-3">
        <Alert kind="success">
          <Trans>The invitation is on its way to {email}.</Trans>
        </Alert>
        <Button look="plain" className="self-start" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    ) : (
      <ShownLink
        heading={t`Scan this with the other device`}
        link={shown}
        actions={
          <Button onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        }
      >
        <Trans>Whoever opens it first is invited, so show it to nobody else.</Trans>
      </ShownLink>
    );
  }
  const sendsEmail = methods.data?.data.email_link === true;
  return (
    <>
      <Form ref={revealed} onSubmit={submit} className="appear flex max-w-md flex-col gap-4">
        <p>
          <Trans>
            Another guardian sees and changes what you do. If the child has other guardians, each is asked
            first and can stop it.
          </Trans>
        </p>
        <ChildChoice legend={t`Whom they may see`} siblings={siblings} chosen={chosen} onChange={setChosen} />
        {sendsEmail && (
          <EmailField
            label={t`Their email address`}
            required
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
            autoFocus
          />
        )}
        <div className="flex flex-wrap gap-3">
          {sendsEmail && (
            <Button type="submit" disabled={chosen.length === 0} busy={invite.isPending} busyLabel={BUSY}>
              <Trans>Send the invitation</Trans>
            </Button>
          )}
          <Button
            look={sendsEmail ? "plain" : "primary"}
            disabled={chosen.length === 0}
            busy={invite.isPending}
            onClick={() => send("")}
          >
            <Trans>Show a QR code</Trans>
          </Button>
          <Button look="plain" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
        <Failure error={invite.error} />
      </Form>
    </>
  );
}
