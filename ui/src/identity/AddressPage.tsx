import { t } from "@lingui/core/macro";
import { useEffect } from "react";

import { useLinkToken } from "./link-token";
import { PasteLink } from "./PasteLink";
import { addressToken, stopsAddress } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { Failure } from "../api/Failure";
import { useUseAddressLink } from "../api/generated/client/identity/identity";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { TextLink } from "../ui/TextLink";
import { ifNotYou } from "./not-you";

/** Where the links of the e-mails about an address lead. Nothing is done until a person presses: scanners open links, too. */
export function AddressPage() {
  const { token } = useLinkToken({ read: addressToken, address: paths.address(), survivesReload: false });
  if (token === null) {
    return (
      <SignInFrame heading={t`Your email address`}>
        <PasteLink />
      </SignInFrame>
    );
  }
  // Another link that is opened in this tab begins anew.
  return <Question key={token} token={token} />;
}

function Question({ token }: { token: string }) {
  const use = useUseAddressLink();
  const stops = stopsAddress(token);
  if (use.isSuccess) return <Done outcome={use.data.data.outcome} />;
  return (
    <SignInFrame heading={t`Your email address`}>
      <p>
        {stops
          ? t`Somebody asked to send your emails from Porchlight to another address.`
          : t`Somebody asked to send their emails from Porchlight to this address. If it was you, confirm it.`}
      </p>
      <Button busy={use.isPending} busyLabel={BUSY} onClick={() => use.mutate({ data: { token } })}>
        {stops ? t`Stop the change` : t`Confirm this address`}
      </Button>
      <Failure error={use.error} />
    </SignInFrame>
  );
}

function Done({ outcome }: { outcome: "confirmed" | "stopped" }) {
  useEffect(focusHeading, []);
  return (
    <SignInFrame heading={outcome === "stopped" ? t`The change is stopped` : t`The address is confirmed`}>
      <p>
        {outcome === "stopped"
          ? ifNotYou()
          : t`Your emails come here once a day has passed since you asked for it, unless it is stopped from the old address.`}
      </p>
      <TextLink to={outcome === "stopped" ? paths.you() : paths.index()}>
        {outcome === "stopped" ? t`Signed-in devices` : t`Open Porchlight`}
      </TextLink>
    </SignInFrame>
  );
}
