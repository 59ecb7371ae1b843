import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { notifyManager, useIsMutating } from "@tanstack/react-query";
import { ListChecksIcon, ThumbsDownIcon, ThumbsUpIcon } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";

import { type FeedbackAction, type FeedbackState, type Vote, feedbackBody, unsentVote } from "./feedback";
import { FeedbackForm } from "./FeedbackForm";
import {
  type LoadedActivities,
  type UpcomingActivity,
  errorTexts,
  useFeedback,
  useTakingBack,
} from "./queries";
import { useFeedbackPanel } from "./use-feedback-panel";
import { getGiveFeedbackMutationKey } from "../api/generated/client/activities/activities";
import { Failure } from "../api/Failure";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { useFocusAfterChange, useFocusAfterRemoval, revealed } from "../ui/focus";
import { QuietLine } from "../ui/QuietLine";
import { UndoLine } from "../ui/UndoLine";

interface UpcomingActivitiesProps extends LoadedActivities<UpcomingActivity> {
  child: Child;
}

export function UpcomingActivities({ child, activities, unreadable }: UpcomingActivitiesProps) {
  const { child_id: childId } = child;
  const { state, dispatch } = useFeedbackPanel(child);
  const { panel } = state;
  const [announcement, setAnnouncement] = useState("");
  const [sent, setSent] = useState<SentFeedback | null>(null);
  const items = activities.map(({ activity_id }) => activity_id);
  const { list: container, leave } = useFocusAfterRemoval<HTMLDivElement>({
    items,
    target: focusable,
  });
  useEffect(() => {
    dispatch({ kind: "list", activityIds: activities.map(({ activity_id: id }) => id) });
  }, [activities, dispatch]);
  // Includes submissions for another child.
  const sending = useIsMutating({ mutationKey: getGiveFeedbackMutationKey() }) > 0;
  const feedback = useFeedback(childId, async (activityId) => {
    await foldAway(container.current?.querySelector(`[data-activity="${CSS.escape(activityId)}"]`));
  });

  const takingBack = useTakingBack(childId);

  const submit = async () => {
    if (panel.kind !== "open" || sending) return;
    const { activityId, vote, reason } = panel;
    const place = activities.findIndex((activity) => activity.activity_id === activityId);
    const activity = activities[place];
    dispatch({ kind: "submit" });
    setAnnouncement("");
    takingBack.reset();
    // Before it is sent: an event from the server may remove the activity before the answer arrives.
    leave(activityId);
    try {
      await feedback.mutateAsync({ childId, activityId, data: feedbackBody(vote, reason) });
      dispatch({ kind: "submit succeeded" });
      setAnnouncement(t`Feedback sent.`);
      if (activity !== undefined) setSent({ activity, vote, place });
    } catch (error) {
      dispatch({ kind: "submit failed", sentence: errorMessage(error, errorTexts.feedback) });
    }
  };

  const canUndo = sent !== null && !items.includes(sent.activity.activity_id);
  const undo = ({ activity: { activity_id: activityId } }: SentFeedback) => {
    setAnnouncement("");
    // Behind the loaded list, which has the activity again unless its assistant has withdrawn it.
    const onSuccess = () =>
      notifyManager.schedule(() => {
        setAnnouncement(t`Feedback taken back.`);
        setSent(null);
      });
    takingBack.mutate({ childId, activityId }, { onSuccess });
  };
  useFocusAfterChange(canUndo, () => {
    const index = sent === null ? -1 : items.indexOf(sent.activity.activity_id);
    const headings = container.current?.querySelectorAll<HTMLElement>(focusable) ?? [];
    return canUndo ? null : headings[Math.max(0, index)];
  });
  const sentTopic = sent?.activity.topic;
  const sentLine = canUndo && (
    <div className="flex flex-col gap-2 pb-4">
      <UndoLine disabled={sending || takingBack.isPending} onUndo={() => undo(sent)}>
        {sent.vote === "up" ? (
          <Trans>
            Liked: <bdi>{sentTopic}</bdi>
          </Trans>
        ) : (
          <Trans>
            Disliked: <bdi>{sentTopic}</bdi>
          </Trans>
        )}
      </UndoLine>
      <Failure error={takingBack.error} text={errorTexts.feedback} />
    </div>
  );

  return (
    <div ref={container}>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {activities.length === 0 && sentLine}
      {activities.length === 0 ? (
        <EmptyState icon={<ListChecksIcon className="size-10" />} action={<ConnectFirst childId={childId} />}>
          <p tabIndex={-1} data-empty>
            {unreadableSentence(unreadable, "record") ?? t`No upcoming sessions scheduled or recommended.`}
          </p>
        </EmptyState>
      ) : (
        <>
          <QuietLine sentence={unreadableSentence(unreadable, "record")} className="pb-3" />
          <ul className="flex flex-col">
            {activities.map((activity, index) => (
              // Two assistants may use the same id.
              <Fragment key={keyOf(items, index)}>
                {index === sent?.place && sentLine && <li>{sentLine}</li>}
                <li data-activity={activity.activity_id} className="pb-4">
                  <ActivityCard
                    activity={activity}
                    state={state}
                    sending={sending}
                    dispatch={dispatch}
                    onSubmit={() => void submit()}
                  />
                </li>
              </Fragment>
            ))}
            {canUndo && sent.place >= activities.length && <li>{sentLine}</li>}
          </ul>
        </>
      )}
    </div>
  );
}

const focusable = "[data-activity] h2, [data-empty]";

/** The feedback that was sent last. */
interface SentFeedback {
  activity: UpcomingActivity;
  vote: Vote;
  /** Where it stood in the list. */
  place: number;
}

/** The id, with its position if another activity has it too. */
function keyOf(ids: readonly string[], index: number): string {
  const id = ids[index] ?? "";
  return ids.indexOf(id) === index ? id : `${id} ${index}`;
}

interface ActivityCardProps {
  activity: UpcomingActivity;
  state: FeedbackState;
  sending: boolean;
  dispatch: (action: FeedbackAction) => void;
  onSubmit: () => void;
}

const words: Readonly<Record<Vote, MessageDescriptor>> = {
  up: msg({ message: "Like", context: "a vote" }),
  down: msg({ message: "Dislike", context: "a vote" }),
};

function ActivityCard({ activity, state, sending, dispatch, onSubmit }: ActivityCardProps) {
  const id = useId();
  const buttons = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const { panel } = state;
  const unsent = unsentVote(state, activity.activity_id);
  const ownPanel = panel.kind !== "closed" && panel.activityId === activity.activity_id ? panel : null;
  const isOpen = ownPanel !== null;
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // Not when the page opens with it.
    if (isOpen && !wasOpen.current) revealed(card.current);
    wasOpen.current = isOpen;
  }, [isOpen]);
  const voteButton = (vote: Vote, icon: ReactNode) => (
    <Button
      look="plain"
      aria-expanded={ownPanel?.vote === vote}
      aria-controls={ownPanel?.vote === vote ? `${id}-panel` : undefined}
      aria-describedby={`${id}-topic`}
      disabled={panel.kind === "submitting"}
      onClick={() => dispatch({ kind: "press", activityId: activity.activity_id, vote })}
      className="aria-expanded:border-primary aria-expanded:bg-tint forced-colors:aria-expanded:border-4"
    >
      {icon}
      {i18n._(words[vote])}
    </Button>
  );
  return (
    <div ref={card} className="rounded-surface border border-line bg-surface p-4 sm:p-5">
      <h2
        id={`${id}-topic`}
        dir="auto"
        tabIndex={-1}
        className="text-left page-rtl:text-right text-lg font-bold"
      >
        {activity.topic}
      </h2>
      {activity.summary !== undefined && (
        <p dir="auto" className="max-w-[68ch] pt-1 whitespace-pre-line [overflow-wrap:anywhere]">
          {activity.summary}
        </p>
      )}
      <div ref={buttons} className="flex flex-wrap gap-2 pt-4">
        {voteButton("up", <ThumbsUpIcon className="size-5" />)}
        {voteButton("down", <ThumbsDownIcon className="size-5" />)}
      </div>
      {unsent !== null && (
        <p className="pt-3 text-sm text-muted">
          <Trans>Not sent yet. Press it again to send it.</Trans>
        </p>
      )}
      {ownPanel !== null && (
        <FeedbackForm
          id={`${id}-panel`}
          panel={ownPanel}
          sending={sending}
          onType={(reason) => dispatch({ kind: "type", reason })}
          onSubmit={onSubmit}
          onCancel={() => {
            buttons.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
            dispatch({ kind: "cancel" });
          }}
        />
      )}
    </div>
  );
}

const FOLD_MS = 180;

/** Folds a card away, unless the parent prefers reduced motion. */
async function foldAway(card: HTMLElement | null | undefined): Promise<void> {
  if (!card || !("animate" in card)) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  card.style.overflow = "hidden";
  card.animate(
    [
      { opacity: 1, height: `${card.offsetHeight}px`, paddingBottom: getComputedStyle(card).paddingBottom },
      { opacity: 0, height: "0px", paddingBottom: "0px" },
    ],
    { duration: FOLD_MS, easing: "ease-out", fill: "forwards" },
  );
  // A timer, because an animation may never end in a hidden tab.
  await new Promise((resolve) => setTimeout(resolve, FOLD_MS));
}
