import { Trans } from "@lingui/react/macro";

import { useGetRules } from "../api/generated/client/rules/rules";
import { pageLocale } from "../format/locale";
import { Alert } from "../ui/Alert";

/** Some assistants don't support longer instructions, in characters. */
const LONG_INSTRUCTIONS = 8000;

/** Warns if a child's rules are so long that some assistants may reject them. */
export function LongInstructions({ childId }: { childId: number }) {
  const { data } = useGetRules(childId);
  const length = Array.from(data?.data.instructions ?? "").length;
  if (length <= LONG_INSTRUCTIONS) return null;
  return (
    <Alert kind="warning">
      <Trans>
        All that the assistant is told, the context and the blocked topics together, is{" "}
        {{ length: length.toLocaleString(pageLocale()) }} characters long. Some assistants refuse more than{" "}
        {{ most: LONG_INSTRUCTIONS.toLocaleString(pageLocale()) }}.
      </Trans>
    </Alert>
  );
}
