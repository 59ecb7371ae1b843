import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";

import { type NotWorryingChange, useChangeNotWorrying, useNotWorrying } from "./not-worrying";
import type { AnyAlert } from "./sentences";
import { Failure } from "../api/Failure";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { type Concern, concernNames, isAlwaysTold } from "../children/concerns";
import { capitalized } from "../format/dates";
import { isolated } from "../format/isolated";
import { labelled } from "../format/labelled";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { pageHeading, useFocusAfterChange, useFocusAfterRemoval, useFocusAfterUndo } from "../ui/focus";
import { Menu, menuItemClass } from "../ui/Menu";
import { UndoLine } from "../ui/UndoLine";
import { Section } from "../ui/Section";

interface NotWorryingProps {
  child: Child;
  alert: AnyAlert;
  flagged: NonNullable<AnyAlert["flagged"]>;
}

/** Says that an alert, or its concern for this child, is not worrying; or undoes it. */
export function NotWorrying({ child, alert, flagged }: NotWorryingProps) {
  const { concern, not_worrying: isNotWorrying } = flagged;
  const concerns = useNotWorrying(child.child_id).data;
  const change = useChangeNotWorrying(child.child_id);
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isNotWorrying);
  const put = (changed: NotWorryingChange) => {
    press();
    change.mutate(changed);
  };
  const { name } = child;
  const ofAlert = { kind: "alert", alertId: alert.alert_id } as const;
  const ofConcern = { kind: "concern", concern } as const;
  const isOfConcern = concerns?.includes(concern) === true;
  return (
    <div ref={area} className={isNotWorrying ? "basis-full px-4 forced-colors:px-0" : ""}>
      {isNotWorrying ? (
        concerns !== undefined && (
          <UndoLine
            disabled={change.isPending}
            onUndo={() => put({ ...(isOfConcern ? ofConcern : ofAlert), isSo: false })}
          >
            {labelled(t`Not worrying`, isOfConcern ? allOfConcern(concern, name) : onlyThisOne())}
          </UndoLine>
        )
      ) : (
        <Choose
          concern={concern}
          child={child}
          onChoose={(what) => put({ ...(what === "alert" ? ofAlert : ofConcern), isSo: true })}
        />
      )}
      <Failure error={change.error} />
    </div>
  );
}

interface ChooseProps {
  child: Child;
  concern: Concern;
  onChoose: (what: "alert" | "concern") => void;
}

function onlyThisOne(): string {
  return t`Only this one`;
}

function allOfConcern(concern: Concern, name: string): string {
  return t`All "${{ concern: concernNames[concern] }}" alerts for ${{ name: isolated(name) }}`;
}

/** 'Not worrying': this alert, or all of its concern if that may be. */
function Choose({ child: { name }, concern, onChoose }: ChooseProps) {
  if (isAlwaysTold(concern)) {
    return (
      <Button look="quiet" className="-outline-offset-2" onClick={() => onChoose("alert")}>
        <Trans>Not worrying</Trans>
      </Button>
    );
  }
  return (
    <Menu
      label={t`Not worrying`}
      placement="below"
      isInAncestor
      triggerClassName="inline-flex min-h-11 items-center rounded-control px-4 font-bold text-primary hover:bg-quiet -outline-offset-2"
      trigger={t`Not worrying`}
    >
      <button type="button" role="menuitem" className={menuItemClass} onClick={() => onChoose("alert")}>
        {onlyThisOne()}
      </button>
      <button type="button" role="menuitem" className={menuItemClass} onClick={() => onChoose("concern")}>
        <span>{allOfConcern(concern, name)}</span>
      </button>
    </Menu>
  );
}

/** The concerns that the guardian finds not worrying for this child. Shows nothing if there are none. */
export function NotWorryingConcerns({ child }: { child: Child }) {
  const { data: concerns = none, isLoadingError, error, refetch } = useNotWorrying(child.child_id);
  const change = useChangeNotWorrying(child.child_id);
  const id = useId();
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>({ items: concerns, target: "button" });
  useFocusAfterChange(concerns.length, () => (concerns.length === 0 ? pageHeading() : null));
  if (concerns.length === 0 && !isLoadingError) return null;
  return (
    <Section heading={t`Not worrying`} id="not-worrying" className="flex max-w-[65ch] flex-col gap-3">
      {isLoadingError && <ErrorState sentence={errorMessage(error)} onRetry={() => void refetch()} />}
      {concerns.length > 0 && (
        <>
          <p>
            <Trans>Alerts about these are listed, but not counted or sent to you.</Trans>
          </p>
          <ul ref={list} aria-labelledby="not-worrying" className="divide-y divide-line border-y border-line">
            {concerns.map((concern) => (
              <li key={concern} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
                <p id={`${id}-${concern}`} className="min-w-0 flex-1 font-bold">
                  {capitalized(concernNames[concern])}
                </p>
                <Button
                  look="quiet"
                  about={`${id}-${concern}`}
                  disabled={change.isPending}
                  onClick={() => {
                    leave(concern);
                    change.mutate({ kind: "concern", concern, isSo: false });
                  }}
                >
                  <Trans>Undo</Trans>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Failure error={change.error} />
    </Section>
  );
}

const none: readonly Concern[] = [];
