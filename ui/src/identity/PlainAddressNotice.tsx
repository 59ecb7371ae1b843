import { Trans } from "@lingui/react/macro";

import type { Guardian } from "../api/identity-token";
import { Notice } from "../ui/Notice";

/**
 * Says to a guardian who uses the server's name for https why they can use the plain address for now, or that they have just been
 * signed out there.
 */
export function PlainAddressNotice({ guardian }: { guardian: Guardian }) {
  const { unusable_name: name, signed_out_url: plain } = guardian;
  if (name === undefined && plain === undefined) return null;
  return (
    <Notice className="mb-5 py-3 print:hidden">
      {name === undefined ? (
        <Trans>
          You're signed out at {plain}, which isn't encrypted. Use this address from now on. Assistants keep
          using that one.
        </Trans>
      ) : (
        <>
          <NameFault name={name} />{" "}
          <Trans>
            Until that is mended this address is open for you. It isn't encrypted: anyone on your Wi-Fi could
            read along.
          </Trans>
        </>
      )}
    </Notice>
  );
}

function NameFault({ name: { url, fault } }: { name: NonNullable<Guardian["unusable_name"]> }) {
  return fault === "certificate" ? (
    <Trans>You sign in at {url}, but its certificate isn't valid now.</Trans>
  ) : (
    <Trans>You sign in at {url}, but it leads to another computer now.</Trans>
  );
}
