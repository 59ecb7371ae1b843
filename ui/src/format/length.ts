/** The number of Unicode scalar values after NFC, so that an accent counts the same however it was typed. */
export function lengthOf(text: string): number {
  return Array.from(text.normalize("NFC")).length;
}
