import type { ComponentProps, ReactNode } from "react";

import { TextLink } from "./TextLink";

/** Something that the guardian should look at, on the lamp's colour. With an `aria-label` it is a region of the page. */
export function Notice({
  className = "flex flex-col items-start gap-3 py-3",
  ...rest
}: ComponentProps<"section">) {
  return (
    <section
      className={`rounded-control border border-transparent bg-lamp-glow px-4 [overflow-wrap:anywhere] ${className}`}
      {...rest}
    />
  );
}

interface TopNoticeProps {
  /** Announces it to screen readers. */
  role?: "status";
  /** The link's address and label. */
  to: string;
  link: string;
  children: ReactNode;
}

/** A sentence above the page, with a link to what it is about. */
export function TopNotice({ role, to, link, children }: TopNoticeProps) {
  return (
    <Notice
      role={role}
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 py-1.5 print:hidden"
    >
      {children}
      <TextLink to={to}>{link}</TextLink>
    </Notice>
  );
}
