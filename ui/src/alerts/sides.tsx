import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { Side } from "./phrases";

export const sides: readonly Side[] = ["either", "child", "assistant"];

/** Whose words are watched. A speaker hears everybody, so it never says that the child spoke. */
export function SideName({ side, childName }: { side: Side; childName: string }) {
  switch (side) {
    case "child":
      return (
        <Trans>
          <bdi>{childName}</bdi>&apos;s side
        </Trans>
      );
    case "assistant":
      return t`The assistant's side`;
    case "either":
      return t`Either one`;
  }
}
