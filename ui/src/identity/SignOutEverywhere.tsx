import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { useIdentity } from "./identity";
import { useGetRecoveryCodes, useGetSignInMethods } from "../api/generated/client/identity/identity";
import { failureSentence } from "../api/problem";
import { atRelativeTime } from "../format/dates";
import { BUSY } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { useToday } from "../ui/now";
import { Check } from "../ui/Check";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Younger codes may have been created by an attacker whom the guardian signs out. */
const SUSPECT_MS = 30 * DAY_MS;

/** Asks for confirmation, and whether to invalidate the recovery codes too. */
export function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const { signOut } = useIdentity();
  const codes = useGetRecoveryCodes();
  const sendsEmail = useGetSignInMethods().data?.data.email_link;
  const today = useToday();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const madeAt = codes.data?.data.created_at;
  const hasCodes = madeAt !== undefined && codes.data?.data.left !== 0;
  const isSuspect = madeAt !== undefined && today.getTime() - Date.parse(madeAt) < SUSPECT_MS;
  const endsCodes = hasCodes && (chosen ?? isSuspect);
  const leave = useMutation({
    mutationFn: () => signOut({ everywhere: true, recoveryCodes: endsCodes }),
  });
  return (
    <Confirmation
      title={t`Sign out everywhere`}
      action={t`Sign out everywhere`}
      busyLabel={BUSY}
      busy={leave.isPending || codes.isPending}
      failure={failureSentence(leave.error)}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
      choice={
        hasCodes && (
          <>
            <Check checked={endsCodes} onChange={({ target }) => setChosen(target.checked)}>
              <Trans>End my recovery codes, too</Trans>
            </Check>
            <p className="text-sm text-muted">
              <Trans>
                They were made {{ atRelativeTime: atRelativeTime(madeAt, new Date()) }}. If that wasn't you,
                end them: each lets somebody sign in as you.
              </Trans>
            </p>
            {endsCodes && sendsEmail === false && (
              <p className="text-sm">
                <Trans>Without codes, only the person who set up this server can let you in again.</Trans>
              </p>
            )}
          </>
        )
      }
    >
      <Trans>
        Every device on which you are signed in is signed out, this one too. Your pending invitations end.
      </Trans>
    </Confirmation>
  );
}
