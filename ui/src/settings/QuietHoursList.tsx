import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useRef, useState } from "react";

import { type Draft, HoursForm, startOf } from "./HoursForm";
import type { TimesAction } from "../schedule/queries";
import {
  type QuietHours,
  type TimesChange,
  daysInWords,
  hoursAndNextDay,
  hoursInWords,
  keyOf,
  refusalOf,
  sameHours,
} from "../schedule/schedule";
import { Button } from "../ui/Button";
import { useFocusAfterForm, useFocusAfterRemoval } from "../ui/focus";
import { usePageState } from "../ui/page-state";
import { UndoLine } from "../ui/UndoLine";

/** The key of the form for new quiet hours. */
const NEW = "new";

interface QuietHoursListProps {
  childId: number;
  quietHours: readonly QuietHours[];
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

/** The quiet hours, of which one at a time is edited. */
export function QuietHoursList({ childId, quietHours, saving, saved, dispatch }: QuietHoursListProps) {
  const { state: draft, write } = usePageState<Draft | null>(`quiet hours of ${childId}`, null, isEdited);
  const items = quietHours.map(keyOf);
  const add = useRef<HTMLButtonElement>(null);
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>({ items, target: "button", fallback: add });
  const [removed, setRemoved] = useState<QuietHours | null>(null);
  const canUndo = removed !== null && refusalOf(removed, quietHours) === null;
  const save = (change: TimesChange) => dispatch({ kind: "change", change });

  const submit = (hours: QuietHours) => {
    if (draft === null) return;
    const { replaces } = draft;
    const others = quietHours.filter((one) => replaces === null || !sameHours(one, replaces));
    const refusal = refusalOf(hours, others);
    if (refusal !== null) return write({ ...draft, refusal });
    write(null);
    if (replaces === null) save({ kind: "add quiet hours", hours });
    else if (!sameHours(replaces, hours))
      save({ kind: "change quiet hours", before: replaces, after: hours });
  };
  const form = draft !== null && (
    <HoursForm draft={draft} saving={saving} onEdit={write} onCancel={() => write(null)} onSave={submit} />
  );
  const replaced = draft?.replaces ?? null;
  const edited = replaced === null ? null : keyOf(replaced);
  const area = useFocusAfterForm<HTMLDivElement>(draft === null ? null : (edited ?? NEW));
  return (
    <div ref={area} className="contents">
      {items.length === 0 && draft === null && (
        <p className="text-muted">
          <Trans>No quiet hours</Trans>
        </p>
      )}
      {items.length > 0 && (
        <ul ref={list} aria-label={t`Quiet hours`} className="flex flex-col gap-2">
          {quietHours.map((hours) => (
            <li key={keyOf(hours)}>
              {keyOf(hours) === edited ? (
                form
              ) : (
                <Row
                  hours={hours}
                  saving={saving}
                  onChange={() => write({ ...hours, replaces: hours, refusal: null })}
                  onRemove={() => {
                    leave(keyOf(hours));
                    save({ kind: "remove quiet hours", hours });
                    setRemoved(hours);
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {canUndo && (
          <UndoLine
            disabled={saving}
            onUndo={() => {
              save({ kind: "add quiet hours", hours: removed });
              setRemoved(null);
              add.current?.focus();
            }}
          >
            <Trans>Removed: {{ what: `${daysInWords(removed.days)}, ${hoursInWords(removed)}` }}.</Trans>
          </UndoLine>
        )}
      </div>
      {draft === null ? (
        <div className="flex flex-wrap gap-3">
          <Button ref={add} data-opens={NEW} look="plain" disabled={saving} onClick={() => write(startOf())}>
            <Trans>Add quiet hours</Trans>
          </Button>
          {saved}
        </div>
      ) : (
        (edited === null || !items.includes(edited)) && form
      )}
    </div>
  );
}

interface RowProps {
  hours: QuietHours;
  saving: boolean;
  onChange: () => void;
  onRemove: () => void;
}

function Row({ hours, saving, onChange, onRemove }: RowProps) {
  const days = daysInWords(hours.days);
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-0.5 gap-y-1">
      <p id={id} className="min-w-40 flex-1 tabular-nums">
        <span className="block font-bold">{days}</span>
        {hoursAndNextDay(hours)}
      </p>
      <Button
        look="quiet"
        disabled={saving}
        about={id}
        className="px-3"
        data-opens={keyOf(hours)}
        onClick={onChange}
      >
        <Trans>Change</Trans>
      </Button>
      <Button look="quiet" disabled={saving} about={id} className="px-3" onClick={onRemove}>
        <Trans>Remove</Trans>
      </Button>
    </div>
  );
}

/** Whether the draft differs from its initial value. */
function isEdited(draft: Draft | null): boolean {
  return draft !== null && !sameHours(draft, draft.replaces ?? startOf());
}
