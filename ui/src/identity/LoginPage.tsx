import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Fragment, useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";

import { EmailForm } from "./EmailForm";
import { useIdentity } from "./identity";
import { PROVIDER_START, providerFailure } from "./provider-sign-in";
import { RecoveryCodeForm } from "./RecoveryCodeForm";
import { EMAIL_KEY } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { useGetSignInMethods, useRequestSignInLink } from "../api/generated/client/identity/identity";
import { logFailure, errorMessage } from "../api/problem";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { browserStorage } from "../ui/browser-storage";
import { Button } from "../ui/Button";
import { ButtonLink } from "../ui/ButtonLink";
import { historyState } from "../ui/history-state";
import { Notice } from "../ui/Notice";
import { OpenSetupLink } from "./OpenSetupLink";
import { otherDeviceSentence } from "./other-device";

export function LoginPage() {
  const { identity } = useIdentity();
  const { hash, state } = useLocation();
  const { from } = historyState(state);
  // The page opens with the provider's error, if there is one.
  const [providerError] = useState(() => providerFailure(hash));
  const request = useRequestSignInLink({
    mutation: { onSuccess: (_answer, { data }) => browserStorage.set(EMAIL_KEY, data.email) },
  });
  const methods = useGetSignInMethods().data?.data;
  const provider = methods?.oidc;
  const withoutMail = methods?.email_link === false;
  const leaving = identity.kind === "signed-in";
  const navigate = useNavigate();
  // Writes the provider's error to the console once and removes it from the address.
  useEffect(() => {
    const sentence = providerFailure(hash);
    if (sentence === null) return;
    logFailure(new Error(sentence));
    // A guardian who is signed in is being redirected; a second navigation would cancel that.
    if (!leaving) void navigate(paths.login(), { replace: true, state });
  }, [hash, state, leaving, navigate]);

  const emailHeading = t`Sign In with Email Link`;
  if (leaving) return <Navigate to={from ?? paths.index()} replace />;

  const failure = request.isError
    ? errorMessage(request.error, t`Failed to send sign-in link.`)
    : request.isIdle && providerError;

  // Above the form if that is disabled. `key`: an open form stays open when the methods have loaded.
  const ways = (
    <Fragment key="ways">
      {provider !== undefined && (
        <ButtonLink
          look="plain"
          href={PROVIDER_START}
          className="appear text-center [overflow-wrap:anywhere]"
        >
          <Trans>Sign in with {{ name: provider.name }}</Trans>
        </ButtonLink>
      )}
      <RecoveryCodeForm />
    </Fragment>
  );
  return (
    <SignInFrame heading={withoutMail ? t`Sign In` : emailHeading} title={t`Sign In`}>
      {identity.kind === "signed-out" && identity.hasEnded && (
        <Notice role="status" className="py-3">
          <Trans>You were signed out here, perhaps from another device.</Trans>
        </Notice>
      )}
      {methods?.set_up === false && (
        <Notice className="py-3">
          <Trans>
            This server is not set up yet. <OpenSetupLink />
          </Trans>
        </Notice>
      )}
      {withoutMail && methods.set_up !== false && (
        <div className="flex flex-col gap-2">
          <p>{otherDeviceSentence()}</p>
          <p>
            <Trans>This server sends no emails. Ask the person who set it up for a link.</Trans>
          </p>
        </div>
      )}
      {withoutMail && ways}
      {withoutMail && <h2 className="pt-4 text-lg font-bold text-muted">{emailHeading}</h2>}
      <EmailForm
        label={t`Email`}
        required
        disabled={withoutMail}
        onEmail={(email) => {
          if (!request.isPending) request.mutate({ data: { email } });
        }}
      >
        <Button type="submit" disabled={withoutMail} busy={request.isPending} busyLabel={t`Sending...`}>
          <Trans>Send Sign-In Link</Trans>
        </Button>
        {request.isSuccess && (
          <Alert kind="success">
            <Trans>Sign-in link sent to {{ email: request.variables.data.email }}. Check your inbox!</Trans>
          </Alert>
        )}
        {failure && <Alert kind="error">{failure}</Alert>}
      </EmailForm>
      {!withoutMail && ways}
    </SignInFrame>
  );
}
