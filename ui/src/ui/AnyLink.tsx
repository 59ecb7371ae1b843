import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";

/** `to` is an address of the app, `href` any other. */
export type AnyLinkProps = LinkProps | (ComponentProps<"a"> & { to?: never; href: string });

/** A link without a style of its own. */
export function AnyLink(props: AnyLinkProps) {
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the caller passes it
  return props.to === undefined ? <a {...props} /> : <Link {...props} />;
}
