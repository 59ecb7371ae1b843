import { useUnseen } from "./queries";
import { newCount, shownCount } from "./sentences";

/** The number of a child's unseen alerts, beside the word 'Alerts'; nothing if there are none. */
export function UnseenCount({ childId, className = "" }: { childId: number; className?: string }) {
  const { unseen } = useUnseen(childId);
  if (unseen === null || unseen === 0) return null;
  return (
    <span
      className={`min-w-5 rounded-full border border-surface bg-primary px-1 text-center text-xs font-bold text-on-primary tabular-nums ${className}`}
    >
      <span aria-hidden="true">{shownCount(unseen)}</span>
      <span className="sr-only">{newCount(unseen)}</span>
    </span>
  );
}
