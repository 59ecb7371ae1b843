import { createContext, use, useLayoutEffect } from "react";

/** Whom the page is about. The document's title names them, because two tabs or history entries must be told apart. */
export const TitleSubject = createContext<string | null>(null);

interface PageHeadingProps {
  children: string;
  /** The document's title, if it differs; null keeps the title. */
  title?: string | null;
  className?: string;
}

/** The page's h1, and the document's title. It gets the focus after a navigation, so that screen readers announce the page. */
export function PageHeading({ children, title = children, className = "" }: PageHeadingProps) {
  const subject = use(TitleSubject);
  const whole = title === null ? null : withSubject(title, subject);
  // A layout effect, because screen readers read the title as soon as the page is painted.
  useLayoutEffect(() => {
    if (whole !== null) document.title = `${whole} · Porchlight`;
  }, [whole]);
  return (
    <h1 tabIndex={-1} data-page-heading className={`text-xl font-bold ${className}`}>
      {children}
    </h1>
  );
}

/** Appends the subject unless the title has it as a word. */
function withSubject(title: string, subject: string | null): string {
  if (subject === null) return title;
  // French quotation marks stand apart from the word.
  const words = ` ${title.replaceAll(/'s(?=\s)|[\s«»]+/gu, " ")} `;
  return words.includes(` ${subject} `) ? title : `${title} · ${subject}`;
}
