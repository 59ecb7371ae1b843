import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";

import { EmailForm } from "./EmailForm";
import { useIdentity } from "./identity";
import { useLinkToken } from "./link-token";
import { PasteLink } from "./PasteLink";
import { EMAIL_KEY, linkToken } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { Failure } from "../api/Failure";
import { getGetRecoveryCodesQueryOptions } from "../api/generated/client/identity/identity";
import { TranslatedError, isAbout, logFailure, isTransient } from "../api/problem";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { browserStorage } from "../ui/browser-storage";
import { Button } from "../ui/Button";

/** How long the success is shown before the redirect (product specification, section 9). */
const REDIRECT_MS = 1000;

type Refusal = "no link" | "no email";

function refusalError(refusal: Refusal): TranslatedError {
  return new TranslatedError(
    refusal === "no link"
      ? t`Invalid sign-in link.`
      : t`Email is required to complete sign-in. Please try sending the link again.`,
  );
}

export function FinishSignInPage() {
  const { token } = useLinkToken({
    read: linkToken,
    address: paths.finishSignIn(),
    survivesReload: true,
  });
  // Another link opened in this tab remounts the page.
  return <FinishSignIn key={token ?? "no link"} token={token} />;
}

function FinishSignIn({ token }: { token: string | null }) {
  const { identity, signIn } = useIdentity();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { hash } = useLocation();
  const [storedEmail] = useState(() => browserStorage.get(EMAIL_KEY)?.trim() ?? "");
  /** Why no attempt is made; set once. */
  const [refusal, setRefusal] = useState<Refusal | null>(token === null ? "no link" : null);
  const { mutate, ...attempt } = useMutation({
    mutationFn: (email: string) => signIn(email, token ?? ""),
    onSuccess: () => {
      browserStorage.remove(EMAIL_KEY);
      // For `RecoveryNotice`, so that the page does not shift.
      void queries.prefetchQuery(getGetRecoveryCodesQueryOptions());
    },
  });
  const { isSuccess } = attempt;
  const starting = attempt.isIdle && refusal === null && storedEmail !== "";
  const signingIn = starting || attempt.isPending;
  const leaving = identity.kind === "signed-in" && !signingIn && !isSuccess;

  useEffect(() => {
    if (refusal !== null && !leaving) logFailure(refusalError(refusal));
  }, [refusal, leaving]);

  // A link works once. React may run the effect twice; only the first run signs in.
  const started = useRef(false);
  useEffect(() => {
    if (started.current || !starting) return;
    started.current = true;
    mutate(storedEmail);
  }, [starting, storedEmail, mutate]);

  useEffect(() => {
    if (!isSuccess) return undefined;
    const redirect = setTimeout(() => void navigate(paths.index(), { replace: true }), REDIRECT_MS);
    return () => clearTimeout(redirect);
  }, [isSuccess, navigate]);

  // The token is removed from the address first: of two simultaneous navigations, the router performs only one.
  if (leaving) return hash === "" ? <Navigate to={paths.index()} replace /> : null;

  const error = refusal === null ? attempt.error : refusalError(refusal);
  // The link is still valid, but for another address than the entered one.
  const wrongEmail = isAbout(error, "/email");
  const asking = wrongEmail || (attempt.isIdle && refusal === null && !starting);
  const goToLogin = (
    <Button look={asking ? "plain" : "primary"} onClick={() => void navigate(paths.login())}>
      <Trans>Go to Login</Trans>
    </Button>
  );
  return (
    <SignInFrame heading={t`Completing Sign-In`}>
      {error !== null && (
        <Failure error={error} text={t`Failed to sign in. The link may be invalid or expired.`} />
      )}
      {refusal === "no link" && <PasteLink />}
      {asking && (
        <EmailForm
          label={t`Please provide your email for confirmation:`}
          defaultValue={attempt.variables}
          onEmail={(email) => (email === "" ? setRefusal("no email") : mutate(email))}
        >
          <div className="flex flex-wrap gap-3">
            <Button type="submit">
              <Trans>Confirm</Trans>
            </Button>
            {wrongEmail ? (
              goToLogin
            ) : (
              <Button look="plain" onClick={() => setRefusal("no email")}>
                <Trans>Cancel</Trans>
              </Button>
            )}
          </div>
        </EmailForm>
      )}
      {signingIn && (
        <p role="status">
          <Trans>Signing you in...</Trans>
        </p>
      )}
      {isSuccess && (
        <Alert kind="success">
          <Trans>Successfully signed in! Redirecting...</Trans>
        </Alert>
      )}
      {error !== null && !asking && (
        <div className="flex flex-wrap gap-3">
          {attempt.isError && isTransient(error) && (
            <Button look="plain" onClick={() => mutate(attempt.variables)}>
              <Trans>Try again</Trans>
            </Button>
          )}
          {goToLogin}
        </div>
      )}
    </SignInFrame>
  );
}
