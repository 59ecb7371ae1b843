import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { XIcon } from "lucide-react";
import { useEffect, useRef } from "react";

import { useUndelete } from "./queries";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { ButtonLink } from "../ui/ButtonLink";
import { focusOn } from "../ui/focus";

export type Done =
  | { kind: "deleted"; sessionId: number; topic: string }
  | { kind: "moved"; sessionId: number; topic: string; to: Child };

interface RetentionNoticeProps {
  childId: number;
  done: Done;
  onBack: (sessionId: number) => void;
  onClose: () => void;
}

/** Announces an action on a conversation, and offers to undo it. It takes the focus from the removed element. */
export function RetentionNotice({ childId, done, onBack, onClose }: RetentionNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  const back = useUndelete(childId, onBack);
  useEffect(() => focusOn(notice.current), []);
  return (
    <div
      ref={notice}
      tabIndex={-1}
      role="status"
      className="appear flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-transparent bg-lamp-glow py-1.5 pe-1.5 ps-4 [overflow-wrap:anywhere]"
    >
      <p className="min-w-[min(12rem,100%)] flex-1 py-1">
        {back.isError ? errorMessage(back.error) : <DoneSentence done={done} />}
      </p>
      <div className="ms-auto flex">
        {done.kind === "deleted" ? (
          <Button
            look="quiet"
            busy={back.isPending}
            busyLabel={BUSY}
            onClick={() => back.mutate(done.sessionId)}
          >
            <Trans>Restore</Trans>
          </Button>
        ) : (
          <ButtonLink look="quiet" to={paths.transcripts(done.to.child_id, done.sessionId)}>
            <Trans>Go there</Trans>
          </ButtonLink>
        )}
        <button
          type="button"
          aria-label={t`Close`}
          onClick={onClose}
          className="flex size-11 items-center justify-center rounded-control text-muted hover:bg-quiet hover:text-ink"
        >
          <XIcon className="size-5" />
        </button>
      </div>
    </div>
  );
}

function DoneSentence({ done }: { done: Done }) {
  const topic = <bdi className="font-bold">{done.topic}</bdi>;
  if (done.kind === "deleted") return <Trans>{topic} was deleted.</Trans>;
  const { name } = done.to;
  return (
    <Trans>
      {topic} was moved to <bdi>{name}</bdi>.
    </Trans>
  );
}
