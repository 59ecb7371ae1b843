import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";

/** `to` is an address of the app, `href` any other. */
type TextLinkProps = {
  /** Within a sentence: as high as its line. Otherwise it is high enough for fingers. */
  isInline?: boolean;
} & (LinkProps | (ComponentProps<"a"> & { to?: never; href: string }));

/** An underlined link. */
export function TextLink({ isInline = false, className = "", ...rest }: TextLinkProps) {
  const classes = `${isInline ? "" : "inline-flex min-h-11 items-center "}font-bold text-primary underline underline-offset-4 ${className}`;
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- it is in `rest`
  return rest.to === undefined ? <a {...rest} className={classes} /> : <Link {...rest} className={classes} />;
}
