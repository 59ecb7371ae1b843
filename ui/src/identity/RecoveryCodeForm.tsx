import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { CodeForm } from "./CodeForm";
import { useIdentity } from "./identity";
import { pastedLink } from "./sign-in-link";
import { Failure } from "../api/Failure";
import { BUSY, Button } from "../ui/Button";

/**
 * Signs in with a recovery code, or with a pasted link: an app on a phone's home screen has its own cookies, so links open
 * elsewhere. The page redirects after the sign-in.
 */
export function RecoveryCodeForm() {
  const { signInWithCode } = useIdentity();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const signIn = useMutation({ mutationFn: signInWithCode });
  if (!open) {
    return (
      <Button look="quiet" className="self-start" onClick={() => setOpen(true)}>
        <Trans>Use a recovery code or a link</Trans>
      </Button>
    );
  }
  return (
    <CodeForm
      label={t`Recovery code or copied link`}
      kind="recoveryOrLink"
      onCode={(text) => {
        const link = pastedLink(text);
        if (link !== null) void navigate(link);
        else if (!signIn.isPending) signIn.mutate(text);
      }}
    >
      <Button type="submit" busy={signIn.isPending} busyLabel={BUSY}>
        <Trans>Sign In</Trans>
      </Button>
      <Failure error={signIn.error} />
    </CodeForm>
  );
}
