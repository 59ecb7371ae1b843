import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";

import { useIdentity } from "./identity";
import { useLinkToken } from "./link-token";
import { PasteLink } from "./PasteLink";
import { invitationToken } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { Failure } from "../api/Failure";
import { useJoinByInvitation, useOpenInvitation } from "../api/generated/client/household/household";
import { isTransient } from "../api/problem";
import type { Guardian } from "../api/identity-token";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { focusHeading } from "../ui/focus";
import type { HistoryState } from "../ui/history-state";
import { TextField } from "../ui/TextField";
import { TextLink } from "../ui/TextLink";
import { EmailField } from "../ui/EmailField";
import { waitsForOthers } from "./after-others";

/** Where the link of an invitation leads: who opens it signed out becomes a new guardian. */
export function InvitationPage() {
  const { identity } = useIdentity();
  const [accepted, setAccepted] = useState(false);
  const open = useOpenInvitation();
  const { mutate } = open;
  const ask = useCallback((opened: string) => mutate({ data: { token: opened } }), [mutate]);
  const { token, forget } = useLinkToken({
    read: invitationToken,
    address: paths.invitation(),
    survivesReload: true,
    onToken: ask,
  });
  const finish = () => {
    forget();
    setAccepted(true);
  };

  if (accepted) return <Accepted />;
  if (token === null) {
    return (
      <SignInFrame heading={t`Invitation`}>
        <PasteLink />
      </SignInFrame>
    );
  }
  const by = open.data?.data.by;
  return (
    <SignInFrame heading={t`Invitation`}>
      {open.isPending && (
        <p role="status">
          <Trans>Loading...</Trans>
        </p>
      )}
      {open.isError && (
        <>
          <Failure error={open.error} />
          {isTransient(open.error) && (
            <Button look="plain" className="self-start" onClick={() => ask(token)}>
              <Trans>Try again</Trans>
            </Button>
          )}
        </>
      )}
      {open.isSuccess && (
        <>
          <p className="[overflow-wrap:anywhere]">
            <Trans>
              <bdi>{by}</bdi> invites you to see what a child and their voice assistant talk about.
            </Trans>
          </p>
          {identity.kind === "signed-in" ? (
            <Join token={token} guardian={identity.guardian} onDone={finish} />
          ) : (
            <AcceptForm token={token} asksForAddress={!open.data.data.by_email} onDone={finish} />
          )}
        </>
      )}
    </SignInFrame>
  );
}

/** Accepts as the guardian who is signed in. */
function Join({ token, guardian, onDone }: { token: string; guardian: Guardian; onDone: () => void }) {
  const queries = useQueryClient();
  const join = useJoinByInvitation({
    mutation: {
      onSuccess: async () => {
        await queries.invalidateQueries();
        onDone();
      },
    },
  });
  const name = guardian.name ?? guardian.email;
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        <Trans>
          Signed in as <bdi>{name}</bdi>
        </Trans>
      </p>
      <Button busy={join.isPending} busyLabel={BUSY} onClick={() => join.mutate({ data: { token } })}>
        <Trans>Accept</Trans>
      </Button>
      <Failure error={join.error} />
    </>
  );
}

interface AcceptFormProps {
  token: string;
  /** No e-mail carried the link. */
  asksForAddress: boolean;
  onDone: () => void;
}

/** Accepts as a new guardian. */
function AcceptForm({ token, asksForAddress, onDone }: AcceptFormProps) {
  const { acceptInvitation } = useIdentity();
  const accept = useMutation({ mutationFn: acceptInvitation, onSuccess: onDone });
  const submit = (typed: FormData) => {
    const [name, email] = [typed.get("name"), typed.get("email")];
    if (accept.isPending || typeof name !== "string") return;
    accept.mutate({ token, name: name.trim(), ...(typeof email === "string" && { email: email.trim() }) });
  };
  return (
    <>
      <div>
        <p>
          <Trans>Already a guardian here? Sign in first.</Trans>
        </p>
        <TextLink
          to={paths.login()}
          state={{ from: `${paths.invitation()}#token=${token}` } satisfies HistoryState}
        >
          <Trans>Sign In</Trans>
        </TextLink>
      </div>
      <p>
        <Trans>New here? Enter your name.</Trans>
      </p>
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <TextField label={t`Your name`} name="name" autoComplete="name" maxLength={200} required />
        {asksForAddress && <EmailField label={t`Your email address`} required />}
        <Button type="submit" busy={accept.isPending} busyLabel={BUSY}>
          <Trans>Accept</Trans>
        </Button>
        <Failure error={accept.error} />
      </Form>
    </>
  );
}

function Accepted() {
  const navigate = useNavigate();
  useEffect(focusHeading, []);
  return (
    <SignInFrame heading={t`You have accepted`}>
      <p>{waitsForOthers()}</p>
      <Button onClick={() => void navigate(paths.index())}>
        <Trans>Open Porchlight</Trans>
      </Button>
    </SignInFrame>
  );
}
