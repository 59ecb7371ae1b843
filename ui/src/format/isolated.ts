import { directionOf } from "./direction";
import { plainText } from "./plain-text";

/**
 * A name within a plain-text sentence. A right-to-left name is isolated by FSI and PDI; otherwise it would reorder the
 * surrounding text.
 */
export function isolated(name: string): string {
  const plain = plainText(name);
  return directionOf(plain) === "rtl" ? `\u2068${plain}\u2069` : plain;
}
