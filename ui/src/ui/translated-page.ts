/**
 * For readers of a language without a catalogue. A browser's translator replaces text nodes by `<font>` elements, or moves them into such elements. React still refers to the
 * text nodes: removing one, or inserting before one, would throw and unmount the page, and text updates would be invisible.
 */

/** The element that replaced each text node that a translator removed. */
const replacements = new WeakMap<Node, Element>();

/** The child of `parent` that contains or replaced `node`; null if there is none. */
function childFor(parent: Node, node: Node): Node | null {
  let standIn: Node | null = replacements.get(node) ?? node;
  while (standIn !== null && standIn.parentNode !== parent) standIn = standIn.parentNode;
  return standIn;
}

/** Patches the DOM so that React works on translated pages. Returns a function that undoes it. */
export function surviveTranslation(root: Node): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- they are called with the node
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function removeTranslated<T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call<Node, [T], T>(this, child);
    const standIn = childFor(this, child);
    if (standIn !== null) removeChild.call(this, standIn);
    return child;
  };
  Node.prototype.insertBefore = function insertTranslated<T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    const place = before === null || before.parentNode === this ? before : childFor(this, before);
    return insertBefore.call<Node, [T, Node | null], T>(this, node, place);
  };

  const observer = new MutationObserver((changes) => {
    for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      if (type === "characterData") showAgain(target);
      for (const removed of removedNodes) {
        if (!(removed instanceof Text) || removed.isConnected) continue;
        const replacement = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
        if (replacement === undefined) continue;
        replacements.set(removed, replacement);
        observer.observe(removed, { characterData: true });
      }
    }
  });
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    Object.assign(Node.prototype, { insertBefore, removeChild });
  };
}

/** Replaces an outdated translation by the text that React has changed. */
function showAgain(text: Node): void {
  const translation = replacements.get(text);
  if (translation?.isConnected !== true) return;
  replacements.delete(text);
  translation.replaceWith(text);
}

function isTranslation(node: Node | null): node is HTMLElement {
  return node instanceof HTMLElement && node.tagName === "FONT";
}
