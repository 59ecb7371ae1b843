import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: ReactNode;
  children: ReactNode;
  /** What to do first, below the sentence. */
  action?: ReactNode;
}

export function EmptyState({ icon, children, action }: EmptyStateProps) {
  return (
    <div className="my-auto flex flex-col items-center gap-4 px-6 py-14 text-center text-muted">
      {icon !== undefined && <div className="text-edge">{icon}</div>}
      <div className="max-w-[42ch] text-balance">{children}</div>
      {action}
    </div>
  );
}
