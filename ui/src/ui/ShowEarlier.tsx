import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { Alert } from "./Alert";
import { Button } from "./Button";

interface ShowEarlierProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean };
  /** Why loading failed; null if it didn't. */
  error: string | null;
  onShow: () => void;
}

/** The button below a list that loads its earlier items; nothing if there are none. */
export function ShowEarlier({ query, error, onShow }: ShowEarlierProps) {
  if (!query.hasNextPage) return null;
  return (
    <>
      {error !== null && <Alert kind="error">{error}</Alert>}
      <Button
        look="plain"
        className="self-start"
        busy={query.isFetchingNextPage}
        busyLabel={t`Loading...`}
        onClick={onShow}
      >
        <Trans>Show earlier</Trans>
      </Button>
    </>
  );
}
