import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { useListDeletions } from "../api/generated/client/retention/retention";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { unreadableRows } from "../api/unreadable-rows";
import { askedBy } from "../children/author";
import { shortDate } from "../format/dates";
import { dayRange, monthAndDay, shortDay } from "../format/days";
import { countConversations, tooOld } from "../format/retention";
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
    <Section heading={t`Deleted permanently`}>
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
          <Trans>
            Backups made by this server may hold them until {{ date: monthAndDay(backups.gone_on, now) }}.
          </Trans>
        </p>
      )}
      <p className="max-w-[60ch] text-sm text-muted">{why(deletion, now)}</p>
    </li>
  );
}

function whatWasDeleted(deletion: Deletion, now: Date): string {
  const { sessions, messages, from, to } = deletion;
  const parts = [
    countConversations(sessions),
    plural({ count: messages }, { one: "# message", other: "# messages" }),
    ...(from !== undefined && to !== undefined ? [dayRange(from, to, now)] : []),
  ];
  return t`Deleted on ${{ date: shortDay(deletion.deleted_on, now) }}: ${{ what: parts.join(", ") }}.`;
}

function checked({ check }: Deletion): string {
  switch (check?.outcome) {
    case "not_found":
      return t`Checked: no longer in any of Porchlight's data files.`;
    case "found":
      return t`Not gone yet: part was still in a file. Porchlight will try again tonight.`;
    case "not_checked":
    case undefined:
      return t`Porchlight hasn't checked its data files yet.`;
  }
}

function why(deletion: Deletion, now: Date): string {
  switch (deletion.reason) {
    case "retention":
      return tooOld();
    case "administrator":
      return t`Asked for by the person who set up this server on ${{ date: shortDate(deletion.requested_at, now) }}.`;
    case "guardian":
      return askedBy(deletion.by, deletion.requested_at, now);
  }
}
