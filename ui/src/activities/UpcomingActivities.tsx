import { useIsMutating } from "@tanstack/react-query";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";

import { type LoadedActivities, type UpcomingActivity, feedbackSentence, useFeedback } from "./activities";
import { type FeedbackEvent, type FeedbackPanel, type Vote, feedbackOf } from "./feedback";
import { useFeedbackPanel } from "./feedback-panel";
import { FeedbackForm } from "./FeedbackForm";
import { ThumbDownIcon, ThumbUpIcon } from "./thumbs";
import { getGiveFeedbackMutationKey } from "../api/generated/client/activities/activities";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { EmptyState } from "../ui/EmptyState";
import { ActivitiesIcon } from "../ui/icons";

interface UpcomingActivitiesProps extends LoadedActivities<UpcomingActivity> {
  child: Child;
}

/** What the assistant proposes, each with what a parent can say about it. */
export function UpcomingActivities({ child, activities, unreadable }: UpcomingActivitiesProps) {
  const { child_id: childId } = child;
  const { panel, act } = useFeedbackPanel(child);
  const whole = useRef<HTMLDivElement>(null);
  const [told, setTold] = useState("");
  const focusAfter = useFocusAfterLeaving(whole, activities);
  // Also another child's.
  const sending = useIsMutating({ mutationKey: getGiveFeedbackMutationKey() }) > 0;
  const feedback = useFeedback(childId, async (activityId) => {
    await leave(cardOf(whole.current, activityId));
    focusAfter(activityId);
  });

  const submit = async () => {
    if (panel.is !== "open" || sending) return;
    const { activityId, vote, reason } = panel;
    act({ did: "submit" });
    setTold("");
    try {
      await feedback.mutateAsync({ childId, activityId, data: feedbackOf(vote, reason) });
      act({ did: "succeed" });
      setTold("Feedback sent.");
    } catch (error) {
      act({ did: "fail", sentence: feedbackSentence(error) });
    }
  };

  return (
    <div ref={whole}>
      <p role="status" className="sr-only">
        {told}
      </p>
      {activities.length === 0 ? (
        <EmptyState icon={<ActivitiesIcon className="size-10" />}>
          <p tabIndex={-1} data-empty>
            {unreadableSentence(unreadable, "activity") ?? "No upcoming sessions scheduled or recommended."}
          </p>
        </EmptyState>
      ) : (
        <ul className="flex flex-col">
          {activities.map((activity) => (
            <li key={activity.activity_id} data-activity={activity.activity_id} className="pb-4">
              <ActivityCard
                activity={activity}
                panel={panel}
                sending={sending}
                act={act}
                onSubmit={() => void submit()}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ActivityCardProps {
  activity: UpcomingActivity;
  panel: FeedbackPanel;
  sending: boolean;
  act: (event: FeedbackEvent) => void;
  onSubmit: () => void;
}

function ActivityCard({ activity, panel, sending, act, onSubmit }: ActivityCardProps) {
  const id = useId();
  const buttons = useRef<HTMLDivElement>(null);
  const mine = panel.is !== "closed" && panel.activityId === activity.activity_id ? panel : null;
  const voteButton = (vote: Vote, icon: ReactNode, word: string) => (
    <VoteButton
      chosen={mine?.vote === vote}
      busy={panel.is === "submitting"}
      describedBy={`${id}-topic`}
      panelId={`${id}-panel`}
      onClick={() => act({ did: "press", activityId: activity.activity_id, vote })}
    >
      {icon}
      {word}
    </VoteButton>
  );
  return (
    <Card className="p-4 sm:p-5">
      <h2 id={`${id}-topic`} dir="auto" tabIndex={-1} className="text-lg font-bold">
        {plainText(activity.topic)}
      </h2>
      {activity.summary !== undefined && activity.summary.trim() !== "" && (
        <p dir="auto" className="max-w-[68ch] pt-1 whitespace-pre-line [overflow-wrap:anywhere]">
          {plainText(activity.summary)}
        </p>
      )}
      <div ref={buttons} className="flex gap-2 pt-4">
        {voteButton("up", <ThumbUpIcon />, "Like")}
        {voteButton("down", <ThumbDownIcon />, "Dislike")}
      </div>
      {mine !== null && (
        <FeedbackForm
          id={`${id}-panel`}
          panel={mine}
          sending={sending}
          onType={(reason) => act({ did: "type", reason })}
          onSubmit={onSubmit}
          onCancel={() => {
            buttons.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
            act({ did: "cancel" });
          }}
        />
      )}
    </Card>
  );
}

interface VoteButtonProps {
  chosen: boolean;
  busy: boolean;
  describedBy: string;
  panelId: string;
  onClick: () => void;
  children: ReactNode;
}

function VoteButton({ chosen, busy, describedBy, panelId, onClick, children }: VoteButtonProps) {
  return (
    <Button
      look="plain"
      aria-expanded={chosen}
      aria-controls={chosen ? panelId : undefined}
      aria-describedby={describedBy}
      disabled={busy}
      onClick={onClick}
      className="aria-expanded:border-primary aria-expanded:bg-tint"
    >
      {children}
    </Button>
  );
}

const LEAVE_MS = 180;

/** A card that was judged folds away, unless the parent wants no motion. */
async function leave(card: HTMLElement | null): Promise<void> {
  if (card === null || !("animate" in card)) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  card.style.overflow = "hidden";
  card.animate(
    [
      { opacity: 1, height: `${card.offsetHeight}px`, paddingBottom: getComputedStyle(card).paddingBottom },
      { opacity: 0, height: "0px", paddingBottom: "0px" },
    ],
    { duration: LEAVE_MS, easing: "ease-out", fill: "forwards" },
  );
  // Not the animation's own end: that may never come when the page is out of sight.
  await new Promise((resolve) => setTimeout(resolve, LEAVE_MS));
}

function cardOf(whole: HTMLElement | null, activityId: string): HTMLElement | null {
  return whole?.querySelector<HTMLElement>(`[data-activity="${CSS.escape(activityId)}"]`) ?? null;
}

/** When a judged activity has left, the focus goes to the one that took its place, else to the one before. */
function useFocusAfterLeaving(
  whole: React.RefObject<HTMLElement | null>,
  activities: readonly UpcomingActivity[],
) {
  const leaving = useRef<string | null>(null);
  const before = useRef(activities);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = activities;
    const place = last.findIndex(({ activity_id }) => activity_id === leaving.current);
    if (place === -1 || activities.some(({ activity_id }) => activity_id === leaving.current)) return;
    leaving.current = null;
    const headings = whole.current?.querySelectorAll<HTMLElement>("[data-activity] h2, [data-empty]");
    headings?.[Math.min(place, headings.length - 1)]?.focus();
  }, [activities, whole]);
  return (activityId: string) => {
    leaving.current = activityId;
  };
}
