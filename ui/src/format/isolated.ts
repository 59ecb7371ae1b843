import { directionOf } from "./direction";
import { plainText } from "./plain-text";

/**
 * A name within a sentence that is plain text. One that is read from the right is isolated by invisible characters (FSI and
 * PDI): otherwise it changes the order of what stands around it.
 */
export function isolated(name: string): string {
  const plain = plainText(name);
  return directionOf(plain) === "rtl" ? `\u2068${plain}\u2069` : plain;
}
