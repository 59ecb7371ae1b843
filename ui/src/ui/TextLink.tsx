import { AnyLink, type AnyLinkProps } from "./AnyLink";

type TextLinkProps = AnyLinkProps & {
  /** Within a sentence: as high as its line. Otherwise it is high enough for fingers. */
  isInline?: boolean;
};

/** An underlined link. */
export function TextLink({ isInline = false, className = "", ...rest }: TextLinkProps) {
  const height = isInline ? "" : "inline-flex min-h-11 items-center ";
  return (
    <AnyLink
      {...rest}
      className={`${height}font-bold text-primary underline underline-offset-4 ${className}`}
    />
  );
}
