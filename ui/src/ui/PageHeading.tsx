import { useLayoutEffect } from "react";

interface PageHeadingProps {
  children: string;
  /** The document's title, if it differs; null keeps the title. */
  title?: string | null;
  className?: string;
}

/** The page's h1, and the document's title. It gets the focus after a navigation, so that screen readers announce the page. */
export function PageHeading({ children, title = children, className = "" }: PageHeadingProps) {
  // A layout effect, because screen readers read the title as soon as the page is painted.
  useLayoutEffect(() => {
    if (title !== null) document.title = `${title} · Porchlight`;
  }, [title]);
  return (
    <h1 tabIndex={-1} data-page-heading className={`text-xl font-bold ${className}`}>
      {children}
    </h1>
  );
}
