/**
 * Where a phrase rings, by the rules of src/alerts/phrase.rs: its words occur whole, next to each other and in order. Case, accents and
 * what stands between words don't matter. Only for scripts with spaces between words.
 */
export function isSaid(phrase: string, text: string): boolean {
  return ` ${wordsOf(text)} `.includes(` ${wordsOf(phrase)} `);
}

function wordsOf(text: string): string {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase();
  return (folded.match(/[\p{Alphabetic}\p{N}]+/gu) ?? []).join(" ");
}
