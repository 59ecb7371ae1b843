import type { ReactNode } from "react";

/** A bordered surface. */
export function Card({ children, className = "p-5 sm:p-6" }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-surface border border-line bg-surface ${className}`}>{children}</div>;
}
