import { Trans } from "@lingui/react/macro";

import type { Guardian } from "../api/identity-token";
import { Notice } from "../ui/Notice";

/** Says why a guardian who uses the server's name for https can use the plain address for now. */
export function UnusableNameNotice({ name }: { name: Guardian["unusable_name"] }) {
  if (name === undefined) return null;
  const { url, fault } = name;
  return (
    <Notice className="mb-5 py-3 print:hidden">
      {fault === "certificate" ? (
        <Trans>You sign in at {url}, but its certificate isn't valid now.</Trans>
      ) : (
        <Trans>You sign in at {url}, but it leads to another computer now.</Trans>
      )}{" "}
      <Trans>
        Until that is mended this address is open for you. It isn't encrypted: anyone on your Wi-Fi could read
        along.
      </Trans>
    </Notice>
  );
}
