import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { ConfirmAddress } from "./ConfirmAddress";
import { RecoveryCodes } from "./RecoveryCodes";
import {
  getListSignInsQueryKey,
  useEndSignIn,
  useListSignIns,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { sentenceOf } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { dayAndTime } from "../format/dates";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";

type SignIn = components["schemas"]["SignIn"];

/** Where the guardian is signed in, and a way to end it from here, for instance on a phone that was lost. */
export function SignInsPage() {
  const query = useListSignIns();
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <PageHeading>Your sign-ins</PageHeading>
        <p className="max-w-[60ch] text-muted">
          Each browser in which you are signed in. End the ones that you do not know or no longer use.
        </p>
      </div>
      <QueryView
        query={query}
        loading={{
          sentence: "Loading your sign-ins...",
          skeleton: <Skeleton shapes={["h-20", "h-20"]} className="flex-col gap-3" />,
        }}
        errorSentence={(error) => sentenceOf(error, "Your sign-ins could not be loaded.")}
      >
        {({ data }) => <SignInList signIns={data} />}
      </QueryView>
      <ConfirmAddress />
      <RecoveryCodes />
    </div>
  );
}

function SignInList({ signIns }: { signIns: readonly SignIn[] }) {
  const queryClient = useQueryClient();
  const [ended, setEnded] = useState(false);
  const end = useEndSignIn({
    mutation: {
      onMutate: () => setEnded(false),
      onSuccess: () => {
        setEnded(true);
        // The button that had the focus is removed with its line.
        focusHeading();
      },
      onSettled: () => queryClient.invalidateQueries({ queryKey: getListSignInsQueryKey() }),
    },
  });
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {signIns.map((signIn) => (
          <li key={signIn.sign_in_id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div>
              <p className="font-bold">{signIn.current ? "This browser" : ways[signIn.via]}</p>
              <p className="text-sm text-muted">
                {signIn.current && `${ways[signIn.via]}. `}Since {dayAndTime(signIn.started_at)}. Last used{" "}
                {dayAndTime(signIn.used_at)}.
              </p>
            </div>
            {!signIn.current && (
              <Button
                look="plain"
                aria-label={`End the sign-in of ${dayAndTime(signIn.started_at)}`}
                disabled={end.isPending}
                busy={end.isPending && end.variables.signInId === signIn.sign_in_id}
                onClick={() => end.mutate({ signInId: signIn.sign_in_id })}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ended && <Alert kind="success">That sign-in has ended.</Alert>}
      {end.isError && <Alert kind="error">{sentenceOf(end.error, "That sign-in could not be ended.")}</Alert>}
    </>
  );
}

const ways: Readonly<Record<SignIn["via"], string>> = {
  link: "By a sign-in link",
  command_line: "With a token from the command line",
  oidc: "Through the sign-in provider",
  recovery_code: "With a recovery code",
  setup: "By setting Porchlight up",
};
