/**
 * A browser's translator replaces text nodes by `<font>` elements, or moves them into some. React still knows the text nodes
 * alone: removing one, or inserting beside one, would throw and take the page away, and a new text would not be seen.
 */

/** What stands in the page for a text node that a translator took out. */
const replacements = new WeakMap<Node, Element>();

/** The child of `parent` that stands for `node`; null if there is none. */
function childFor(parent: Node, node: Node): Node | null {
  let standIn: Node | null = replacements.get(node) ?? node;
  while (standIn !== null && standIn.parentNode !== parent) standIn = standIn.parentNode;
  return standIn;
}

/** Lets React go on when the page is being translated. Returns a function that ends it. */
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

/** A text that React has changed takes the place of its old translation. */
function showAgain(text: Node): void {
  const translation = replacements.get(text);
  if (translation?.isConnected !== true) return;
  replacements.delete(text);
  translation.replaceWith(text);
}

function isTranslation(node: Node | null): node is HTMLElement {
  return node instanceof HTMLElement && node.tagName === "FONT";
}
