import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";

import { CodeForm } from "./CodeForm";
import { keepDeepLink } from "./deep-link";
import { POLL_MS } from "./devices";
import { useIdentity } from "./identity";
import { PROVIDER_STEP_UP } from "./provider-sign-in";
import { ShownDigits } from "./ShownDigits";
import { Failure } from "../api/Failure";
import {
  type GetStepUpQueryResult,
  getGetStepUpQueryKey,
  useAskOtherDevice,
  useGetStepUp,
  useGetSignInMethods,
  useSendStepUpEmail,
  useStepUp,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import type { StepUpOptions } from "../api/step-up";
import { BUSY, Button } from "../ui/Button";
import { ButtonLink } from "../ui/ButtonLink";
import { Dialog } from "../ui/Dialog";
import { notAskedAgain } from "./step-up-sentences";

type Way = components["schemas"]["StepUpWay"];

export interface StepUpDialogProps extends StepUpOptions {
  onClose: () => void;
  /** The guardian has stepped up. */
  onDone: () => void;
}

/** Asks for a proof that it is the guardian who holds this browser. */
export function StepUpDialog({ onlyByEmail = false, onClose, onDone }: StepUpDialogProps) {
  const state = useGetStepUp({
    query: {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => data?.data.is_asking === true && POLL_MS,
    },
  });
  const [sent, setSent] = useState(false);
  const mail = useSendStepUpEmail({ mutation: { onSuccess: () => setSent(true) } });
  const stepUp = useStepUp({ mutation: { onSuccess: onDone } });
  const [chosen, setChosen] = useState<Way | null>(null);
  const formId = useId();
  const { identity } = useIdentity();
  const email = identity.kind === "signed-in" ? identity.guardian.email : "";
  const provider = useGetSignInMethods().data?.data.oidc?.name ?? t`the sign-in provider`;
  const offered = state.data?.data.ways ?? [];
  const ways = onlyByEmail ? offered.filter((each) => each === "email") : offered;
  const way = chosen ?? ways[0];
  const typing = way === "recovery_code" || (way === "email" && sent);
  const ask = useOtherDevice(state.data?.data.until !== undefined, onDone);
  const digits = state.data?.data.is_asking === true ? ask.data?.data.digits : undefined;
  return (
    <Dialog
      title={onlyByEmail ? t`Confirm this address` : t`Confirm that it is you`}
      onClose={onClose}
      actions={
        <>
          <Button look="plain" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          {typing && (
            <Button type="submit" form={formId} busy={stepUp.isPending} busyLabel={BUSY}>
              <Trans>Confirm</Trans>
            </Button>
          )}
          {way === "email" && !typing && (
            <Button busy={mail.isPending} busyLabel={BUSY} onClick={() => mail.mutate()}>
              <Trans>Send the code</Trans>
            </Button>
          )}
          {way === "provider" && (
            <ButtonLink
              href={PROVIDER_STEP_UP}
              onClick={() => keepDeepLink(location.pathname + location.search)}
            >
              <Trans>Go to {{ name: provider }}</Trans>
            </ButtonLink>
          )}
          {way === "other_device" && (
            <Button
              look={digits === undefined ? "primary" : "plain"}
              busy={ask.isPending}
              busyLabel={BUSY}
              onClick={() => ask.mutate()}
            >
              {ask.isSuccess ? t`Try again` : t`Ask my other devices`}
            </Button>
          )}
        </>
      }
    >
      {state.isPending && (
        <p role="status">
          <Trans>Loading...</Trans>
        </p>
      )}
      {state.isLoadingError && <Failure error={state.error} />}
      {state.isSuccess && way === undefined && (
        <p>
          <Trans>
            This server sends no emails, you have no recovery code left, and there is no other device on which
            you have been signed in for over a day. Ask the person who set it up for a sign-in link (
            <code>porchlight sign-in-link</code>), sign out here, and open it in this browser.
          </Trans>
        </p>
      )}
      {way === "other_device" ? (
        <OtherDevice digits={digits} asked={ask.isSuccess} />
      ) : (
        way !== undefined && (
          <p role="status">{explanation(onlyByEmail ? "address" : way, { email, sent, provider })}</p>
        )
      )}
      {typing && (
        <CodeForm
          key={way}
          id={formId}
          label={way === "email" ? t`Code from the email` : t`Recovery code`}
          kind={way === "email" ? "email" : "recovery"}
          onCode={(code) => {
            if (code !== "") stepUp.mutate({ data: { way, code } });
          }}
        />
      )}
      {mail.isError && way === "email" && <Failure error={mail.error} />}
      {stepUp.isError && stepUp.variables.data.way === way && <Failure error={stepUp.error} />}
      {ask.isError && way === "other_device" && <Failure error={ask.error} />}
      <div className="flex flex-wrap gap-x-2 gap-y-1">
        {way === "email" && typing && (
          <Button look="quiet" busy={mail.isPending} busyLabel={BUSY} onClick={() => mail.mutate()}>
            <Trans>Send another email</Trans>
          </Button>
        )}
        {ways
          .filter((each) => each !== way)
          .map((each) => (
            <Button key={each} look="quiet" onClick={() => setChosen(each)}>
              {each === "provider" ? t`Sign in with ${{ name: provider }}` : i18n._(instead[each])}
            </Button>
          ))}
      </div>
    </Dialog>
  );
}

const instead: Readonly<Record<Exclude<Way, "provider">, MessageDescriptor>> = {
  email: msg`Code from the email`,
  other_device: msg`Ask my other devices`,
  recovery_code: msg`Recovery code`,
};

/** Asks the guardian's other devices, and tells once when one of them has answered. */
function useOtherDevice(steppedUp: boolean, onDone: () => void) {
  const queries = useQueryClient();
  const ask = useAskOtherDevice({
    mutation: {
      onSuccess: () =>
        queries.setQueryData<GetStepUpQueryResult>(
          getGetStepUpQueryKey(),
          (before) => before && { ...before, data: { ways: before.data.ways, is_asking: true } },
        ),
    },
  });
  const answered = ask.isSuccess && steppedUp;
  const told = useRef(false);
  useEffect(() => {
    if (!answered || told.current) return;
    told.current = true;
    onDone();
  }, [answered, onDone]);
  return ask;
}

/** How far asking another device is. */
function OtherDevice({ digits, asked }: { digits: string | undefined; asked: boolean }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      {digits !== undefined && (
        <>
          <p>
            <Trans>Your other device asks whether this is you. Type these digits there:</Trans>
          </p>
          <ShownDigits digits={digits} />
          <p className="text-sm text-muted">
            <Trans>They work for two minutes.</Trans>
          </p>
        </>
      )}
      {digits === undefined && asked && (
        <p>
          <Trans>It was refused, or it took too long. You can ask again.</Trans>
        </p>
      )}
      {digits === undefined && !asked && (
        <p>
          {confirmSentence()}{" "}
          <Trans>
            Open Porchlight on another device on which you have been signed in for over a day: it asks for
            three digits that are shown here.
          </Trans>
        </p>
      )}
    </div>
  );
}

interface Known {
  email: string;
  /** Whether an e-mail was sent. */
  sent: boolean;
  /** The provider's name. */
  provider: string;
}

function confirmSentence(): string {
  return t`Confirm it's you, so nobody else can do this on your device.`;
}

function why(how: string): string {
  return `${confirmSentence()} ${how} ${notAskedAgain()}`;
}

function explanation(
  way: Exclude<Way, "other_device"> | "address",
  { email, sent, provider }: Known,
): string {
  if (way === "recovery_code") return why(t`Type one of your recovery codes. It works once.`);
  if (way === "provider") return why(t`${provider} asks you to sign in again.`);
  if (sent) return t`We sent an email with a code of six digits to ${email}.`;
  const code = t`We send a code to ${email}, which you type here.`;
  return way === "address" ? code : why(code);
}
