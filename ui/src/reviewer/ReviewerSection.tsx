import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useCallback, useRef } from "react";

import { AtHome } from "./AtHome";
import { Details } from "./Details";
import { useReviewer, useSwitches } from "./queries";
import { SwitchOn, TO_SET_UP } from "./SwitchOn";
import { WhereItGoes } from "./WhereItGoes";
import { type Reviewer, notReviewedSentence, stateHeading, stateSentences } from "./words";
import { Failure } from "../api/Failure";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { useSeen } from "../ui/seen";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { SendToAdministrator } from "../ui/SendToAdministrator";
import { useFocusAfterChange } from "../ui/focus";

/** Whether a model reads the child's conversations, where they would go, and how good it is. */
export function ReviewerSection({ child }: { child: Child }) {
  const { name } = child;
  const query = useReviewer(child.child_id);
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-[65ch]">
        <Trans>
          An AI can read <bdi>{name}</bdi>&apos;s conversations and alert you to what you may want to look at.
          It only points; you decide. It can be wrong, and it misses things.
        </Trans>
      </p>
      <QueryView
        query={query}
        loading={{
          skeleton: (
            <Skeleton shapes={["h-20 max-w-[65ch]", "h-36 max-w-[65ch]"]} className="flex-col gap-8" />
          ),
        }}
      >
        {(reviewer) => <Loaded child={child} reviewer={reviewer} />}
      </QueryView>
    </div>
  );
}

interface LoadedProps {
  child: Child;
  reviewer: Reviewer;
}

function Loaded({ child, reviewer }: LoadedProps) {
  const switches = useSwitches(child.child_id);
  const where = useRef<HTMLElement>(null);
  useNoteShown(child.child_id, reviewer, where, switches.noteShown);
  const { state, model, host, private: isPrivate = false, figures } = reviewer;
  const isNamed = model !== undefined && host !== undefined;
  return (
    <>
      <State child={child} reviewer={reviewer} switches={switches} />
      {isNamed && <WhereItGoes ref={where} named={{ model, host }} isPrivate={isPrivate} figures={figures} />}
      {isNamed && state !== "on" && (
        <SwitchOn
          child={child}
          reviewer={reviewer}
          named={{ model, host }}
          isPrivate={isPrivate}
          switches={switches}
        />
      )}
      {isNamed && <Details child={child} reviewer={reviewer} />}
      {(isNamed || reviewer.at_home) && <AtHome child={child} reviewer={reviewer} change={switches.atHome} />}
    </>
  );
}

/** Reports that a guardian was shown what another one wants, once it was on the screen of somebody who uses the page. */
function useNoteShown(
  childId: number,
  { state, shown, model, host }: Reviewer,
  element: RefObject<HTMLElement | null>,
  { mutateAsync }: ReturnType<typeof useSwitches>["noteShown"],
): void {
  const isNoting = useRef(false);
  const note = useCallback(async () => {
    if (isNoting.current || model === undefined || host === undefined) return;
    isNoting.current = true;
    try {
      await mutateAsync({ childId, data: { model, host } });
    } catch {
      // Retried at the next interaction with the page.
    } finally {
      isNoting.current = false;
    }
  }, [mutateAsync, childId, model, host]);
  useSeen(element, state === "waiting" && shown === false ? note : null);
}

interface StateProps extends LoadedProps {
  switches: ReturnType<typeof useSwitches>;
}

function State({ child, reviewer, switches: { switchOff } }: StateProps) {
  const { state, ended } = reviewer;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfterChange(state, () => heading.current);
  const { not_reviewed: notReviewed } = reviewer;
  return (
    <Section
      heading={stateHeading(reviewer)}
      headingRef={heading}
      className="flex max-w-[65ch] flex-col items-start gap-2"
    >
      <div role="status" className="flex flex-col gap-1 [overflow-wrap:anywhere]">
        {stateSentences(reviewer, new Date()).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {ended && (
          <p>
            <Trans>It was on, and has ended: the AI or its server changed.</Trans>
          </p>
        )}
      </div>
      {(state === "unavailable" || state === "untested") && (
        <SendToAdministrator
          id={TO_SET_UP}
          sentence={t`The person who looks after Porchlight must set up and test the AI reader first.`}
          how={t`The option --reviewer-model names an AI, and porchlight reviewer test tests it. docs/admin/reviewer.md explains it.`}
        />
      )}
      {notReviewed > 0 && (
        <p>
          <strong>{notReviewedSentence(notReviewed)}</strong>
        </p>
      )}
      {(state === "waiting" || state === "on") && (
        <Button
          look="plain"
          busy={switchOff.isPending}
          onClick={() => switchOff.mutate({ childId: child.child_id })}
        >
          <Trans>Switch off</Trans>
        </Button>
      )}
      <Failure error={switchOff.error} />
    </Section>
  );
}
