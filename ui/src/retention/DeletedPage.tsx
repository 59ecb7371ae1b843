import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Trash2Icon } from "lucide-react";
import { useEffect, useId, useState } from "react";

import { DeletionRecords } from "./DeletionRecords";
import { useUndelete, useErase } from "./queries";
import { Failure } from "../api/Failure";
import {
  useListDeletedSessions,
  useNoteDeletedSessionsShown,
} from "../api/generated/client/retention/retention";
import type { components } from "../api/generated/schema";
import { failureSentence } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { unreadableRows } from "../api/unreadable-rows";
import { askedBy } from "../children/author";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { capitalized, relativeTime } from "../format/dates";
import { labelled } from "../format/labelled";
import { plainText } from "../format/plain-text";
import { restorableUntil, tooOld } from "../format/retention";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { EmptyState } from "../ui/EmptyState";
import { focusHeading } from "../ui/focus";
import { PageHeading } from "../ui/PageHeading";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { BackLink } from "../ui/BackLink";

type Deleted = components["schemas"]["DeletedSession"];

export const DeletedPage = childPage(msg`Recently deleted`, RecentlyDeleted);

/** The maximum page size. */
const ALL = { limit: 500 };

/** Deleted conversations that can be restored. Reports to the server which ones were shown. */
function RecentlyDeleted({ child }: { child: Child }) {
  const query = useListDeletedSessions(child.child_id, ALL);
  const { mutate: noteShown } = useNoteDeletedSessionsShown({
    mutation: { onSuccess: () => void query.refetch() },
  });
  const sessions = query.data?.data.items;
  useEffect(() => {
    const unseen = (sessions ?? []).filter((session) => session.unseen === true);
    if (unseen.length === 0) return;
    const ids = unseen.map(({ session_id: id }) => id);
    noteShown({ childId: child.child_id, data: { sessions: ids } });
  }, [child.child_id, noteShown, sessions]);
  const [done, setDone] = useState<string | null>(null);
  const finish = (words: string) => {
    setDone(words);
    // The focused button is removed with its row.
    focusHeading();
  };
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <div className="flex flex-col">
          <BackLink to={paths.transcripts(child.child_id)}>{t`Transcripts`}</BackLink>
          <PageHeading>{t`Recently deleted for ${{ name: child.name }}`}</PageHeading>
        </div>
        <p className="max-w-[60ch] text-muted">
          {query.data?.data.may_erase === false
            ? t`Each guardian has seven days to restore them, from when they first see them here; nobody can delete them permanently before.`
            : t`They are permanently deleted after seven days.`}{" "}
          <Trans>Older backups keep what was deleted.</Trans>
        </p>
      </div>
      <p role="status" className={done === null ? "sr-only" : "rounded-control bg-lamp-glow px-4 py-3"}>
        {done}
      </p>
      <QueryView
        query={query}
        loading={{ skeleton: deletedSkeleton }}
        empty={(page) => page.data.items.length === 0 && withoutDeleted(unreadableRows([page]))}
      >
        {(page) => (
          <>
            <QuietLine sentence={unreadableSentence(unreadableRows([page]), "record")} />
            <ul className="divide-y divide-line border-y border-line">
              {page.data.items.map((session) => (
                <DeletedItem
                  key={session.session_id}
                  childId={child.child_id}
                  session={session}
                  mayErase={page.data.may_erase}
                  onDone={finish}
                />
              ))}
            </ul>
          </>
        )}
      </QueryView>
      <DeletionRecords childId={child.child_id} />
    </div>
  );
}

const deletedSkeleton = <Skeleton shapes={["h-24", "h-24"]} className="flex-col gap-3" />;

function withoutDeleted(unreadable: number) {
  return (
    <EmptyState icon={<Trash2Icon className="size-10" />}>
      {unreadableSentence(unreadable, "record") ?? t`Nothing yet`}
    </EmptyState>
  );
}

interface DeletedItemProps {
  childId: number;
  session: Deleted;
  mayErase: boolean;
  /** Announces the result. */
  onDone: (words: string) => void;
}

function DeletedItem({ childId, session, mayErase, onDone }: DeletedItemProps) {
  const topic = topicOf(session);
  const id = useId();
  const now = new Date();
  const [asking, setAsking] = useState(false);
  const back = useUndelete(childId, () => onDone(t`${topic} is restored.`));
  const messages = plural({ count: session.message_count }, { one: "# message", other: "# messages" });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-4">
      <div className="min-w-[min(16rem,100%)] flex-1 [overflow-wrap:anywhere]">
        <p id={id} dir="auto" className="text-left page-rtl:text-right font-bold">
          {topic}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {capitalized(relativeTime(session.date, now))}, {messages}
        </p>
        <p className="text-sm text-muted">{whyDeleted(session, now)}</p>
        <Failure error={back.error} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="plain" about={id} busy={back.isPending} onClick={() => back.mutate(session.session_id)}>
          <Trans>Restore</Trans>
        </Button>
        {mayErase && (
          <Button look="quiet" about={id} onClick={() => setAsking(true)}>
            <Trans>Delete permanently</Trans>
          </Button>
        )}
      </div>
      {asking && (
        <EraseDialog
          childId={childId}
          sessionId={session.session_id}
          onClose={() => setAsking(false)}
          onDone={() => onDone(labelled(t`Deleted permanently`, topic))}
        />
      )}
    </li>
  );
}

/** Who deleted it, and until when it can be restored. */
function whyDeleted(session: Deleted, now: Date): string {
  const { by, deleted_at: at, older_than_days: days } = session;
  const reason = days === undefined ? askedBy(by, at, now) : tooOld();
  return `${reason} ${restorableUntil(relativeTime(session.restorable_until, now))}`;
}

interface EraseDialogProps {
  childId: number;
  sessionId: number;
  onClose: () => void;
  onDone: () => void;
}

function EraseDialog({ childId, sessionId, onClose, onDone }: EraseDialogProps) {
  const erase = useErase(childId, { onDone, onCancelled: onClose });
  return (
    <Confirmation
      title={t`Delete permanently`}
      action={t`Delete permanently`}
      busyLabel={BUSY}
      busy={erase.isPending}
      failure={failureSentence(erase.error)}
      onConfirm={() => erase.mutate(sessionId)}
      onClose={onClose}
    >
      <Trans>Older backups keep what was deleted.</Trans>
    </Confirmation>
  );
}

function topicOf({ topic = "" }: Deleted): string {
  return plainText(topic).trim() || t`Conversation without a topic`;
}
