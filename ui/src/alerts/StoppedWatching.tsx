import { Trans } from "@lingui/react/macro";

import { plainText } from "../format/plain-text";

export function StoppedWatching({ words }: { words: string }) {
  const phrase = plainText(words);
  return (
    <Trans>
      Stopped watching for &quot;<bdi>{phrase}</bdi>&quot;.
    </Trans>
  );
}
