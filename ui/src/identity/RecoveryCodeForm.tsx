import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { CodeForm } from "./CodeForm";
import { useIdentity } from "./identity";
import { pastedLink } from "./sign-in-link";
import { errorMessage } from "../api/problem";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/**
 * The way in with a recovery code or with a link that opened elsewhere, behind a button: an app on a phone's home screen has
 * cookies of its own. The page leaves by itself once somebody is signed in.
 */
export function RecoveryCodeForm() {
  const { signInWithCode } = useIdentity();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const signIn = useMutation({ mutationFn: signInWithCode });
  if (!open) {
    return (
      <Button look="quiet" className="self-start" onClick={() => setOpen(true)}>
        Use a recovery code or a link
      </Button>
    );
  }
  return (
    <CodeForm
      label="Recovery code or copied link"
      kind="recoveryOrLink"
      onCode={(text) => {
        const link = pastedLink(text);
        if (link !== null) void navigate(link);
        else if (!signIn.isPending) signIn.mutate(text);
      }}
    >
      <Button type="submit" busy={signIn.isPending} busyLabel="Signing in...">
        Sign in with the code or link
      </Button>
      {signIn.isError && (
        <Alert kind="error">{errorMessage(signIn.error, "The code could not be checked.")}</Alert>
      )}
    </CodeForm>
  );
}
