import { useUnseen } from "./queries";
import { newWords, shownCount } from "./sentences";
import { CountIcon, countClass } from "./Urgent";
import { urgentChildren, useAttention } from "../children/attention";

/** The number of a child's unseen alerts, beside the word 'Alerts'; nothing if there are none and nothing is urgent. */
export function UnseenCount({ childId, className = "" }: { childId: number; className?: string }) {
  const { unseen } = useUnseen(childId);
  const isUrgent = urgentChildren(useAttention().data?.data.items).has(childId);
  if ((unseen === null || unseen === 0) && !isUrgent) return null;
  return (
    <span className={`border-surface ${countClass(isUrgent)} ${className}`}>
      {isUrgent && <CountIcon />}
      {unseen !== null && unseen > 0 && <span aria-hidden="true">{shownCount(unseen)}</span>}
      <span className="sr-only">{newWords(unseen, isUrgent)}</span>
    </span>
  );
}
