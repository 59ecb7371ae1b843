import { AnyLink, type AnyLinkProps } from "./AnyLink";
import { type ButtonLook, buttonClass } from "./Button";

type ButtonLinkProps = AnyLinkProps & { look?: ButtonLook };

/** A link that looks like a button. */
export function ButtonLink({ look = "primary", className = "", ...rest }: ButtonLinkProps) {
  return <AnyLink {...rest} className={`${buttonClass(look)} ${className}`} />;
}
