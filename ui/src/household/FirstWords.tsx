import { useQueries } from "@tanstack/react-query";

import type { OwnAssistant } from "./queries";
import { hasSentWords } from "./upstreams";
import { getGetReceiptsQueryOptions } from "../api/generated/client/rules/rules";

/** Events announce only the open child's conversations, and the first words may be another child's. */
const POLL_MS = 5000;

/** Whether a new assistant has sent words yet; it changes while the page is open. */
export function FirstWords({ assistant: { name, children } }: { assistant: OwnAssistant }) {
  const receipts = useQueries({
    queries: children.map((childId) =>
      getGetReceiptsQueryOptions(childId, {
        query: {
          refetchInterval: ({ state }) =>
            (state.data === undefined || !hasSentWords(state.data.data, name)) && POLL_MS,
        },
      }),
    ),
  });
  const hasSent = receipts.some(({ data }) => data !== undefined && hasSentWords(data.data, name));
  return (
    <p role="status" className="[overflow-wrap:anywhere]">
      {hasSent ? (
        <strong>
          Connected: <bdi>{name}</bdi> has sent its first words.
        </strong>
      ) : (
        "Waiting for the first word…"
      )}
    </p>
  );
}
