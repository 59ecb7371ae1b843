import type { ReactNode } from "react";

/** The page's h1. It gets the focus after a navigation, so that screen readers announce the page. */
export function PageHeading({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <h1 tabIndex={-1} data-page-heading className={`text-xl font-bold ${className}`}>
      {children}
    </h1>
  );
}
