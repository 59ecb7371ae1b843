import { type ReactNode, type Ref, useId } from "react";

interface SectionProps {
  heading: ReactNode;
  level?: 2 | 3;
  /** Whether the heading is as small as the text. Those of level 3 are. */
  isSmall?: boolean;
  /** A quiet sentence about the heading: below it, or beside it where there is room. */
  about?: ReactNode;
  isAboutBeside?: boolean;
  /** The heading's id, for other elements that it labels. */
  id?: string;
  /** For a heading that takes the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  headingClassName?: string;
  ref?: Ref<HTMLElement>;
  className?: string;
  children: ReactNode;
}

/** A part of a page, labelled by its heading. */
export function Section({
  heading,
  level = 2,
  isSmall = level === 3,
  about,
  isAboutBeside = false,
  id,
  headingRef,
  headingClassName = "",
  ref,
  className = "flex flex-col gap-3",
  children,
}: SectionProps) {
  const ownId = useId();
  const headingId = id ?? ownId;
  const Heading = `h${level}` as const;
  const title = (
    <Heading
      ref={headingRef}
      id={headingId}
      tabIndex={headingRef === undefined ? undefined : -1}
      className={`font-bold ${isSmall ? "" : "text-lg"} ${headingClassName}`}
    >
      {heading}
    </Heading>
  );
  return (
    <section ref={ref} aria-labelledby={headingId} className={className}>
      {about === undefined ? (
        title
      ) : (
        <div className={isAboutBeside ? "flex flex-wrap items-baseline gap-x-3" : ""}>
          {title}
          <p className="text-sm text-muted">{about}</p>
        </div>
      )}
      {children}
    </section>
  );
}
