/** What a page says in English although it is in the accented test language. */
import type { Messages } from "@lingui/core";

import { inTestLanguage, testLanguages } from "./test-languages";
import { showIn } from "../ui/language";

export async function openAccented(): Promise<void> {
  const { messages } = await import("../../locales/en.po");
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the module's type isn't known to the linter
  showIn(testLanguages.accented.code, inTestLanguage("accented", messages as Messages));
}

/** What isn't translated: code, names and what somebody wrote, which are in `bdi`, and languages in their own words. */
const UNTRANSLATED = "code, bdi, [lang]:not(html), script, style";

/** Attributes that a guardian reads or hears. */
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "aria-description"];

/** The texts of the page with a word of plain letters, but for these words: the names in the pretended answers. */
export function englishTexts(names: readonly string[]): string[] {
  const texts = [document.title];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() !== null) {
    const node = nodes.currentNode;
    if (node.parentElement?.closest(UNTRANSLATED) === null) texts.push(node.textContent ?? "");
  }
  for (const attribute of ATTRIBUTES)
    for (const element of document.querySelectorAll(`[${attribute}]`))
      texts.push(element.getAttribute(attribute) ?? "");
  const known = new Set([...names, "Porchlight", "AM", "PM"]);
  const isEnglish = (text: string) =>
    text
      .split(/[^\p{L}\p{M}@.'-]+/u)
      .some((word) => /^[A-Za-z][a-z]/u.test(word) && isPlain(word) && !known.has(word));
  return [...new Set(texts.filter(isEnglish))];
}

/** A word of the accented language has an accent, unless it has no letter that takes one. */
function isPlain(word: string): boolean {
  return /^[\p{ASCII}]+$/u.test(word) && /[aeiouycdghjklnrstwz]/u.test(word);
}
