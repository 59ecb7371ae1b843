/** What a page shows wrongly in a language. Runs in the browser, so it uses nothing from outside of the function. */

export type Flaw =
  /** A word that isn't accented. */
  | "english"
  /** A text of which a part can't be seen. */
  | "cut"
  /** A text beyond the edge of its box. */
  | "outside"
  /** Something beyond the side of the window. */
  | "beyond"
  /** Two texts in one place. */
  | "overlap"
  /** An area that scrolls sideways. */
  | "sideways"
  /** In a language from right to left, something is where it is from left to right. */
  | "unmirrored"
  | "arrow";

export interface Found {
  flaw: Flaw;
  text: string;
  where: string;
  /** In pixels, how much is cut, or beyond. */
  by: number;
}

export interface What {
  checks: readonly ("english" | "fit" | "mirrored")[];
  /** What the fake backend said, and what was typed: that is in no language. */
  data: readonly string[];
}

export function look({ checks, data }: What): Found[] {
  const found: Found[] = [];
  const root = document.documentElement;
  const width = root.clientWidth;
  const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
  const scope = modal ?? document.body;

  // oxlint-disable unicorn/consistent-function-scoping -- all of it is sent to the browser
  const nameOf = (element: Element): string => {
    const names: string[] = [];
    for (let each: Element | null = element; each !== null && names.length < 4; each = each.parentElement) {
      const role = each.getAttribute("role");
      names.unshift(each.tagName.toLowerCase() + (role === null ? "" : `[${role}]`));
    }
    return names.join(" > ");
  };
  const note = (flaw: Found["flaw"], element: Element, text: string, by = 0) => {
    found.push({
      flaw,
      text: text.trim().replace(/\s+/gu, " ").slice(0, 160),
      where: nameOf(element),
      by: Math.round(Math.abs(by)),
    });
  };

  interface Style {
    display: string;
    position: string;
    overflowX: string;
    overflowY: string;
    /** Whether it ends a text that has no room with an ellipsis. */
    hasEllipsis: boolean;
    /** Whether it is for screen readers alone, or in such an element. */
    isUnseen: boolean;
    /** Whether its edge is seen. */
    hasEdge: boolean;
    box: DOMRect;
  }
  const styles = new Map<Element, Style>();
  /** What is used of an element's style. Kept, because a browser computes it anew for each question. */
  const styleOf = (element: Element): Style => {
    const known = styles.get(element);
    if (known !== undefined) return known;
    const { display, position, overflowX, overflowY, ...computed } = (() => {
      const style = getComputedStyle(element);
      const isTiny = style.width === "1px" && style.height === "1px";
      return {
        display: style.display,
        position: style.position,
        overflowX: style.overflowX,
        overflowY: style.overflowY,
        hasEllipsis: style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none",
        isUnseen: style.position === "absolute" && (isTiny || style.clipPath === "inset(50%)"),
        hasEdge:
          style.borderLeftWidth !== "0px" || !/rgba\(0, 0, 0, 0\)|transparent/u.test(style.backgroundColor),
      };
    })();
    const parent = element.parentElement;
    const style: Style = {
      display,
      position,
      overflowX,
      overflowY,
      hasEdge: computed.hasEdge,
      hasEllipsis: computed.hasEllipsis,
      isUnseen: computed.isUnseen || (parent !== null && styleOf(parent).isUnseen),
      box: element.getBoundingClientRect(),
    };
    styles.set(element, style);
    return style;
  };

  // ---- words

  /** What the page marks as a name or as words of another language is that in a label, too. */
  const marked = [...document.querySelectorAll("bdi, [dir=auto], [lang]:not(html)")]
    .map((element) => (element.textContent ?? "").trim().toLowerCase())
    .filter((text) => text.length > 1);
  const untranslated = [...data, ...marked].sort((one, other) => other.length - one.length);
  const withoutData = (text: string) => {
    let rest = text.toLowerCase();
    for (const known of untranslated) rest = rest.replaceAll(known, "");
    return rest.replaceAll(/\ba{20,}/gu, "");
  };
  // What the family says has a direction of its own. A language without names for the cities of time zones has the English ones.
  const UNTRANSLATED =
    "code, bdi, pre, kbd, [lang]:not(html), script, style, noscript, textarea, [dir=auto], option[value*='/']";
  /** Names, and words of the fake backend's data that are words of its protocol elsewhere. */
  const NAMES = new Set(
    "porchlight pipecat firefox linux android home assistant id example pm am utc happy proud curious tired calm draw".split(
      " ",
    ),
  );
  const hasEnglish = (text: string) =>
    text
      .split(/[^\p{L}\p{M}@.'’-]+/u)
      .some(
        (word) =>
          /^[A-Za-z][a-z]/u.test(word) &&
          /^\p{ASCII}+$/u.test(word) &&
          /[aeiouycdghjklnrstwz]/u.test(word) &&
          !/[@.]\w/u.test(word) &&
          !NAMES.has(word.toLowerCase()),
      );
  const isFromData = (text: string) => !/\p{L}{2}/u.test(withoutData(text).replaceAll(/\u2068|\u2069/gu, ""));
  const isEnglish = (text: string) => hasEnglish(text) && hasEnglish(withoutData(text));
  if (checks.includes("english")) {
    if (isEnglish(document.title)) note("english", root, document.title);
    const nodes = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() !== null) {
      const { currentNode: node } = nodes;
      const parent = node.parentElement;
      if (parent === null || parent.closest(UNTRANSLATED) !== null) continue;
      if (isEnglish(node.textContent ?? "")) note("english", parent, node.textContent ?? "");
    }
    for (const attribute of [
      "aria-label",
      "title",
      "placeholder",
      "alt",
      "aria-description",
      "aria-valuetext",
      "aria-roledescription",
      "label",
    ])
      for (const element of scope.querySelectorAll(`[${attribute}]`)) {
        const text = element.getAttribute(attribute) ?? "";
        if (element.closest("[lang]:not(html)") === null && isEnglish(text))
          note("english", element, `${attribute}: ${text}`);
      }
  }

  // ---- room

  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  interface Text {
    element: Element;
    text: string;
    lines: DOMRect[];
    /** The parts of the lines that aren't clipped. */
    seen: DOMRect[];
    layer: Element;
    top: number;
    bottom: number;
  }
  const texts: Text[] = [];
  if (checks.includes("fit")) {
    if (root.scrollWidth > width + 1) note("beyond", root, document.title, root.scrollWidth - width);
    const nodes = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (nodes.nextNode() !== null) {
      const { currentNode: node } = nodes;
      const element = node.parentElement;
      if (element === null || (node.textContent ?? "").trim() === "" || !isShown(element)) continue;
      if (element.closest("script, style, option") !== null || styleOf(element).isUnseen) continue;
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1);
      if (lines.length === 0) continue;
      let layer: Element = element;
      while (layer !== scope && layer.parentElement !== null) {
        const { position, overflowY } = styleOf(layer);
        if (/fixed|sticky|absolute/u.test(position) || /auto|scroll/u.test(overflowY)) break;
        layer = layer.parentElement;
      }
      let seen = lines;
      for (let each: Element | null = element; each !== null && each !== scope; each = each.parentElement) {
        const { display, overflowX, overflowY, box } = styleOf(each);
        if (display === "inline" || (overflowX === "visible" && overflowY === "visible")) continue;
        seen = seen.flatMap((line) => {
          const [left, top] = [Math.max(line.left, box.left), Math.max(line.top, box.top)];
          const [wide, high] = [
            Math.min(line.right, box.right) - left,
            Math.min(line.bottom, box.bottom) - top,
          ];
          return wide > 1 && high > line.height / 2 ? [new DOMRect(left, top, wide, high)] : [];
        });
      }
      const top = Math.min(...seen.map((line) => line.top));
      const bottom = Math.max(...seen.map((line) => line.bottom));
      texts.push({ element, text: node.textContent ?? "", lines, seen, layer, top, bottom });
    }

    for (const { element, text, lines } of texts) {
      let left = Math.min(...lines.map((line) => line.left));
      let right = Math.max(...lines.map((line) => line.right));
      let top = Math.min(...lines.map((line) => line.top));
      let bottom = Math.max(...lines.map((line) => line.bottom));
      let isInBox = false;
      for (let box: Element | null = element; box !== null && box !== root; box = box.parentElement) {
        const style = styleOf(box);
        const edge = style.box;
        // What is beyond the edge of an area that scrolls can be scrolled to.
        if (/auto|scroll/u.test(style.overflowY))
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        if (/auto|scroll/u.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1)
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        if (top >= bottom || left >= right) break;
        if (style.display !== "inline" && edge.width > 0) {
          const clips = /hidden|clip/u.test(style.overflowX) || /hidden|clip/u.test(style.overflowY);
          const across = Math.max(edge.left - left, right - edge.right, 0);
          const down = Math.max(bottom - edge.bottom, edge.top - top, 0);
          if (clips && (across > 1.5 || down > 4)) {
            // A name or a topic may be of any length.
            const isMeant = element.closest("[title]") !== null || (style.hasEllipsis && isFromData(text));
            if (!isMeant) note("cut", element, text, Math.max(across, down));
            break;
          }
          if (!isInBox && (style.hasEdge || /absolute|fixed/u.test(style.position))) {
            isInBox = true;
            if (across > 1.5 || down > 4) note("outside", element, text, Math.max(across, down));
          }
        }
        if (style.position === "fixed") break;
      }
      if (left < -1 || right > width + 1) {
        let isScrolled = false;
        for (
          let each: Element | null = element;
          each !== null && each !== document.body;
          each = each.parentElement
        )
          if (styleOf(each).overflowX !== "visible") isScrolled = true;
        if (!isScrolled) note("beyond", element, text, Math.max(-left, right - width));
      }
    }

    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        if (one.layer !== other.layer || one.bottom <= other.top || other.bottom <= one.top) continue;
        const covered = one.seen.flatMap((line) =>
          other.seen.flatMap((beside) => {
            const across = Math.min(line.right, beside.right) - Math.max(line.left, beside.left);
            const down = Math.min(line.bottom, beside.bottom) - Math.max(line.top, beside.top);
            return across > 3 && down > Math.min(line.height, beside.height) / 2 ? [across] : [];
          }),
        );
        if (covered.length === 0) continue;
        note(
          "overlap",
          one.element,
          `${one.text.slice(0, 60)} ⟷ ${other.text.slice(0, 60)}`,
          Math.max(...covered),
        );
      }
    }

    for (const area of scope.querySelectorAll("*")) {
      if (!(area instanceof HTMLElement) || area.scrollWidth <= area.clientWidth + 1 || area.clientWidth < 2)
        continue;
      if (
        /auto|scroll/u.test(styleOf(area).overflowX) &&
        isShown(area) &&
        !styleOf(area).isUnseen &&
        area.closest("pre") === null
      )
        note(
          "sideways",
          area,
          area.getAttribute("aria-label") ?? area.textContent ?? "",
          area.scrollWidth - area.clientWidth,
        );
    }

    const pen = document.createElement("canvas").getContext("2d");
    for (const field of scope.querySelectorAll("input, select")) {
      if (pen === null || !isShown(field)) continue;
      const style = getComputedStyle(field);
      const text =
        field instanceof HTMLSelectElement
          ? (field.selectedOptions[0]?.text ?? "")
          : (field.getAttribute("placeholder") ?? "");
      // A name may be of any length.
      if (text === "" || (style.textOverflow === "ellipsis" && isFromData(text))) continue;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const room =
        field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const missing = pen.measureText(text).width - room;
      if (missing > 1) note("cut", field, text, missing);
    }
  }

  // ---- direction

  if (checks.includes("mirrored")) {
    const POINTING =
      /lucide-(?:chevron|arrow|move|corner|panel)[a-z-]*-(?:left|right)|lucide-(?:undo|redo|send|reply|log-in|log-out)/u;
    for (const icon of scope.querySelectorAll("svg")) {
      const names = icon.getAttribute("class") ?? "";
      if (!POINTING.test(names) || !isShown(icon)) continue;
      const isFlipped =
        getComputedStyle(icon).scale.startsWith("-1") ||
        new DOMMatrix(getComputedStyle(icon).transform).a < 0;
      if (!isFlipped && !/rotate-90/u.test(names))
        note("arrow", icon, names.split(" ").find((name) => POINTING.test(name)) ?? "");
    }
    const elements = [...scope.querySelectorAll("*")].filter(
      (element) =>
        element.closest("svg, code, bdi, pre, select, option, [dir]:not(html), video, canvas") === null &&
        isShown(element) &&
        !styleOf(element).isUnseen &&
        !/inline$|contents/u.test(styleOf(element).display),
    );
    const mirrored = elements.map((element) => styleOf(element).box);
    root.dir = "ltr";
    const plain = elements.map((element) => element.getBoundingClientRect());
    root.dir = "rtl";
    const wrong = new Set<Element>();
    for (const [index, element] of elements.entries()) {
      const [was, is] = [plain[index], mirrored[index]];
      if (was === undefined || is === undefined || was.width < 2) continue;
      const isElsewhere = Math.abs(width - was.right - is.left) > 3 && Math.abs(was.width - is.width) < 3;
      if (!isElsewhere) continue;
      if (element.parentElement !== null && [...wrong].some((outer) => outer.contains(element))) continue;
      wrong.add(element);
      note("unmirrored", element, element.textContent ?? "", is.left - (width - was.right));
    }
  }
  return found;
}
