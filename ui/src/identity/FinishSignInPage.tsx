import { type ReactNode, type SubmitEvent, useCallback, useEffect, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";

import { useIdentity } from "./identity";
import { EMAIL_KEY, linkToken } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { isAbout, logFailure, isTransient, sentenceOf } from "../api/problem";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { browserStorage } from "../ui/browser-storage";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";

/** How long the success is shown before the redirect (product specification, section 9). */
const REDIRECT_MS = 1000;

type Progress =
  /** With `error`, the link is still valid, but not for the address that was entered. */
  | { kind: "asking-email"; email?: string; error?: unknown }
  | { kind: "signing-in"; email: string }
  | { kind: "signed-in" }
  /** With `retry`, the failure is transient and the link is still valid. */
  | { kind: "failed"; error: unknown; retry?: string | undefined };

export function FinishSignInPage() {
  const { identity, signIn } = useIdentity();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [token] = useState(() => linkToken(hash));
  const [progress, setProgress] = useState<Progress>(() => firstStep(token));

  const busy = progress.kind === "signing-in" || progress.kind === "signed-in";
  const leaving = identity.kind === "signed-in" && !busy;

  // Removes the token from the address bar and the history.
  useEffect(() => {
    if (hash !== "" && !leaving) void navigate(paths.finishSignIn(), { replace: true });
  }, [hash, leaving, navigate]);

  const consume = useCallback(
    async (email: string, linkedToken: string) => {
      try {
        await signIn(email, linkedToken);
        browserStorage.remove(EMAIL_KEY);
        setProgress({ kind: "signed-in" });
      } catch (error) {
        setProgress(
          isAbout(error, "/email")
            ? { kind: "asking-email", email, error }
            : { kind: "failed", error, retry: isTransient(error) ? email : undefined },
        );
      }
    },
    [signIn],
  );

  const error = "error" in progress ? progress.error : undefined;
  useEffect(() => {
    if (error !== undefined && !leaving) logFailure(error);
  }, [error, leaving]);

  // A link works once. React may run the effect twice, so each attempt is made only once.
  const attempted = useRef<Progress>(null);
  useEffect(() => {
    if (progress.kind !== "signing-in" || token === null || attempted.current === progress) return;
    attempted.current = progress;
    void consume(progress.email, token);
  }, [progress, token, consume]);

  useEffect(() => {
    if (progress.kind !== "signed-in") return undefined;
    const redirect = setTimeout(() => void navigate(paths.index(), { replace: true }), REDIRECT_MS);
    return () => clearTimeout(redirect);
  }, [progress, navigate]);

  if (leaving) return <Navigate to={paths.index()} replace />;

  const goToLogin = (
    <Button
      look={progress.kind === "failed" ? "primary" : "plain"}
      onClick={() => void navigate(paths.login())}
    >
      Go to Login
    </Button>
  );
  return (
    <SignInFrame heading="Completing Sign-In">
      {error !== undefined && (
        <Alert kind="error">
          {sentenceOf(error, "Failed to sign in. The link may be invalid or expired.")}
        </Alert>
      )}
      {progress.kind === "asking-email" && (
        <EmailForm
          email={progress.email}
          onConfirm={(email) => setProgress(email === "" ? emailMissing : { kind: "signing-in", email })}
        >
          {error === undefined ? (
            <Button look="plain" onClick={() => setProgress(emailMissing)}>
              Cancel
            </Button>
          ) : (
            goToLogin
          )}
        </EmailForm>
      )}
      {progress.kind === "signing-in" && <p role="status">Signing you in...</p>}
      {progress.kind === "signed-in" && <Alert kind="success">Successfully signed in! Redirecting...</Alert>}
      {progress.kind === "failed" && (
        <div className="flex flex-wrap gap-3">
          {progress.retry !== undefined && (
            <Button
              look="plain"
              onClick={() => setProgress({ kind: "signing-in", email: progress.retry ?? "" })}
            >
              Try again
            </Button>
          )}
          {goToLogin}
        </div>
      )}
    </SignInFrame>
  );
}

interface EmailFormProps {
  /** The address that was entered before, to be corrected. */
  email: string | undefined;
  /** The address is empty if nothing was entered. */
  onConfirm: (email: string) => void;
  /** Further buttons. */
  children: ReactNode;
}

function EmailForm({ email: tried, onConfirm, children }: EmailFormProps) {
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = new FormData(event.currentTarget).get("email");
    onConfirm(typeof email === "string" ? email.trim() : "");
  };
  return (
    // `noValidate`: an empty address shows the specification's sentence, not the browser's.
    <form noValidate onSubmit={confirm} className="flex flex-col gap-5">
      <TextField
        label="Please provide your email for confirmation:"
        type="email"
        name="email"
        defaultValue={tried}
        autoComplete="email"
        maxLength={254}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Confirm</Button>
        {children}
      </div>
    </form>
  );
}

const emailMissing: Progress = {
  kind: "failed",
  error: new Error("Email is required to complete sign-in. Please try sending the link again."),
};

function firstStep(token: string | null): Progress {
  if (token === null) return { kind: "failed", error: new Error("Invalid sign-in link.") };
  const email = browserStorage.get(EMAIL_KEY);
  return email === null || email.trim() === "" ? { kind: "asking-email" } : { kind: "signing-in", email };
}
