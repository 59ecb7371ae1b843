import type { ReactNode } from "react";

/** The page's one heading. It takes the focus on navigation, so that those who listen hear where they are. */
export function PageHeading({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <h1 tabIndex={-1} data-page-heading className={`text-xl font-bold ${className}`}>
      {children}
    </h1>
  );
}
