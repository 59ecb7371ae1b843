import { useListDeletions } from "../api/generated/client/retention/retention";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { unreadableRows } from "../api/unreadable-rows";
import { authorInSentence } from "../children/author";
import { shortDate } from "../format/dates";
import { dayRange, monthAndDay, shortDay } from "../format/days";
import { unreadableSentence } from "../format/unreadable";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";

type Deletion = components["schemas"]["Deletion"];

/** The maximum page size. */
const ALL = { limit: 500 };

/** What was deleted permanently, and whether the server's files were searched for it. Nothing while there is none. */
export function DeletionRecords({ childId }: { childId: number }) {
  const query = useListDeletions(childId, ALL);
  const page = query.data;
  const isEmpty = page !== undefined && page.data.items.length + unreadableRows([page]) === 0;
  if (query.isPending || isEmpty) return null;
  return (
    <Section heading="Deleted permanently">
      <QueryView query={query} loading={{ skeleton: recordsSkeleton }}>
        {(loaded) => (
          <>
            <QuietLine sentence={unreadableSentence(unreadableRows([loaded]), "record")} />
            <ul className="divide-y divide-line border-y border-line">
              {numbered(loaded.data.items).map(({ number, deletion }) => (
                <DeletionItem key={number} deletion={deletion} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** Records have no id; they are added at the beginning and removed at the end. */
function numbered(deletions: readonly Deletion[]) {
  return deletions.map((deletion, index) => ({ number: deletions.length - index, deletion }));
}

const recordsSkeleton = <Skeleton shapes={["h-20"]} className="flex-col gap-3" />;

function DeletionItem({ deletion }: { deletion: Deletion }) {
  const now = new Date();
  const { backups } = deletion;
  return (
    <li className="flex flex-col gap-1 py-4">
      <p className="max-w-[60ch]">
        {whatWasDeleted(deletion, now)} {checked(deletion)}
      </p>
      {backups !== undefined && (
        <p className="max-w-[60ch] text-sm text-muted">
          Backups made by this server may hold them until {monthAndDay(backups.until, now)}.
        </p>
      )}
      <p className="max-w-[60ch] text-sm text-muted">
        <Why deletion={deletion} now={now} />
      </p>
    </li>
  );
}

function whatWasDeleted(deletion: Deletion, now: Date): string {
  const { sessions, messages, from, to } = deletion;
  const parts = [counted(sessions, "conversation"), counted(messages, "message")];
  if (from !== undefined && to !== undefined) parts.push(dayRange(from, to, now));
  return `Deleted on ${shortDay(deletion.deleted_on, now)}: ${parts.join(", ")}.`;
}

function counted(count: number, kind: string): string {
  return `${count} ${count === 1 ? kind : `${kind}s`}`;
}

function checked({ check }: Deletion): string {
  switch (check?.outcome) {
    case "not_found":
      return "Checked: no longer in any of Porchlight's data files.";
    case "found":
      return "Not gone yet: part was still in a file. Porchlight will try again tonight.";
    case "not_checked":
      return "Not every file could be checked. Porchlight will try again tonight.";
    case undefined:
      return "Porchlight hasn't checked its data files yet.";
  }
}

function Why({ deletion, now }: { deletion: Deletion; now: Date }) {
  const on = shortDate(deletion.asked_at, now);
  switch (deletion.reason) {
    case "retention":
      return "They were older than you keep conversations.";
    case "administrator":
    case "guardian":
      return (
        <>
          Asked for by{" "}
          {deletion.reason === "administrator" ? (
            "the person who set up this server"
          ) : (
            <bdi>{authorInSentence(deletion.by)}</bdi>
          )}{" "}
          on {on}.
        </>
      );
  }
}
