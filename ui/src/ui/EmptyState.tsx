import type { ReactNode } from "react";

export function EmptyState({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <div className="my-auto flex flex-col items-center gap-4 px-6 py-14 text-center text-muted">
      {icon !== undefined && <div className="text-edge">{icon}</div>}
      <div className="max-w-[42ch] text-balance">{children}</div>
    </div>
  );
}
