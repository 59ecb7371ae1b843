import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { CodeForm } from "./CodeForm";
import { useIdentity } from "./identity";
import { sentenceOf } from "../api/problem";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** The way in with a recovery code, behind a button. The page leaves by itself once somebody is signed in. */
export function RecoveryCodeForm() {
  const { signInWithCode } = useIdentity();
  const [open, setOpen] = useState(false);
  const signIn = useMutation({ mutationFn: signInWithCode });
  if (!open) {
    return (
      <Button look="quiet" className="self-start" onClick={() => setOpen(true)}>
        Use a recovery code
      </Button>
    );
  }
  return (
    <CodeForm
      label="Recovery code"
      kind="recovery"
      onCode={(code) => {
        if (!signIn.isPending) signIn.mutate(code);
      }}
    >
      <Button type="submit" busy={signIn.isPending} busyLabel="Signing in...">
        Sign in with the code
      </Button>
      {signIn.isError && (
        <Alert kind="error">{sentenceOf(signIn.error, "The code could not be checked.")}</Alert>
      )}
    </CodeForm>
  );
}
