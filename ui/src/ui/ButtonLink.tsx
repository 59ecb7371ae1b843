import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";

import { type ButtonLook, buttonClass } from "./Button";

/** `to` is an address of the app, `href` any other. */
type ButtonLinkProps = { look?: ButtonLook } & (
  LinkProps | (ComponentProps<"a"> & { to?: never; href: string })
);

/** A link that looks like a button. */
export function ButtonLink({ look = "primary", className = "", ...rest }: ButtonLinkProps) {
  const classes = `${buttonClass(look)} ${className}`;
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- it is in `rest`
  return rest.to === undefined ? <a {...rest} className={classes} /> : <Link {...rest} className={classes} />;
}
