import { Trans } from "@lingui/react/macro";

/** Where the link of the first run is. */
export function OpenSetupLink() {
  return (
    <>
      <Trans>
        Open the link that it showed when it was started, or let <code>porchlight setup-link</code> show it
        again.
      </Trans>
    </>
  );
}
