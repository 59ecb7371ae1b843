import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { type Connection, problemOf } from "./connections";
import type { OwnAssistant } from "./queries";
import { TopicsLine } from "./TopicsLine";
import { useListSessions } from "../api/generated/client/transcripts/transcripts";
import { paths } from "../paths";
import type { Attention } from "../rules/receipts";
import { Alert } from "../ui/Alert";
import { ButtonLink } from "../ui/ButtonLink";

interface FirstWordsProps {
  childId: number;
  assistant: OwnAssistant;
  /** Undefined while it is loading. */
  connection: Connection | undefined;
  /** What a guardian should know of its list of topics. */
  attention: Attention | null;
}

/**
 * Whether a new assistant was heard, or what is wrong with what arrived; it changes while the page is open. It stays in sight, if
 * the window is high enough.
 */
export function FirstWords({ childId, assistant, connection, attention }: FirstWordsProps) {
  const { assistant_id: id, name } = assistant;
  const problem = connection === undefined ? null : problemOf(connection);
  const isHeard = connection?.heard_at !== undefined;
  const sessions = useListSessions({ child_id: childId, limit: 20 }, { query: { enabled: isHeard } });
  const conversation = sessions.data?.data.sessions.find(
    ({ assistant_id: by, message_count: messages }) => by === id && messages > 0,
  );
  return (
    <section
      aria-label={name}
      className="bottom-[calc(var(--bar)+0.75rem)] z-10 flex flex-col gap-2 rounded-surface border border-line bg-surface px-4 py-3 shadow-float [overflow-wrap:anywhere] md:bottom-6 [@media(min-height:28rem)]:sticky"
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="font-bold">
          {isHeard ? (
            <Trans>
              <bdi>{name}</bdi> was heard ✓
            </Trans>
          ) : (
            t`Waiting for the first word…`
          )}
        </p>
        {isHeard && !sessions.isPending && (
          <ButtonLink to={paths.transcripts(childId, conversation?.session_id)}>
            <Trans>Read what was said</Trans>
          </ButtonLink>
        )}
      </div>
      {isHeard && attention !== null && <TopicsLine childId={childId} name={name} attention={attention} />}
      {problem !== null && (
        <Alert kind="error">
          <bdi>{name}</bdi>: {problem}
        </Alert>
      )}
    </section>
  );
}
