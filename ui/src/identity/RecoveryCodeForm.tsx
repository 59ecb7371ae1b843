import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";

import { useIdentity } from "./identity";
import { sentenceOf } from "../api/problem";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";

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
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get("code");
    if (typeof code === "string" && !signIn.isPending) signIn.mutate(code.trim());
  };
  return (
    <form onSubmit={submit} className="appear flex flex-col gap-5">
      <TextField
        label="Recovery code"
        name="code"
        maxLength={64}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is replaced by this
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button type="submit" busy={signIn.isPending} busyLabel="Signing in...">
        Sign in with the code
      </Button>
      {signIn.isError && (
        <Alert kind="error">{sentenceOf(signIn.error, "The code could not be checked.")}</Alert>
      )}
    </form>
  );
}
