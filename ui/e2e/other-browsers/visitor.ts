import { ENTER, type Tab } from "./browser";

type Role = "button" | "link" | "textbox" | "menuitem" | "combobox";

const DEADLINE_MS = 15_000;

/**
 * Finds an element by its role and its name (a regular expression), in the open dialog if there is one, and scrolls to it. Its
 * value is the element's middle; null if it isn't there, is disabled (while saving, say) or something lies over it.
 * The next press of the pointer sets `wasHit`.
 */
const FIND = String.raw`((role, name) => {
  const selectors = {
    button: "button",
    link: "a[href]",
    textbox: "input:not([type=radio]):not([type=checkbox]), textarea",
    menuitem: "[role^=menuitem]",
    combobox: "select",
  };
  const root = document.querySelector("dialog[open]") ?? document;
  const ownName = (element) =>
    (element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText).trim();
  const nameOf = (element) => {
    const named = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const parts = named.length > 0 ? named.map((id) => document.getElementById(id)) : [element];
    return parts.map((part) => (part === null ? "" : ownName(part))).join(" ");
  };
  const isShown = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const found = [...root.querySelectorAll(selectors[role])].find(
    (element) => isShown(element) && new RegExp(name, "u").test(nameOf(element)),
  );
  if (found === undefined || found.matches(":disabled, [aria-disabled=true]")) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = found.getBoundingClientRect();
  const middle = { x: left + width / 2, y: top + height / 2 };
  const isIn = (hit) => [found, ...(found.labels ?? [])].some((element) => element.contains(hit));
  window.wasHit = false;
  const note = ({ target }) => {
    window.wasHit ||= isIn(target);
  };
  addEventListener("pointerdown", note, { capture: true, once: true });
  return isIn(document.elementFromPoint(middle.x, middle.y)) ? middle : null;
})`;

/** A user in a tab. All methods wait until the element is present. */
export class Visitor {
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  async goto(url: string): Promise<void> {
    await this.#tab.goto(url);
  }

  async click(role: Role, name: RegExp): Promise<void> {
    const find = `${FIND}(${JSON.stringify(role)}, ${JSON.stringify(name.source)})`;
    let last = "";
    await this.#until(`a ${role} named ${name}`, async () => {
      const place = await this.#tab.evaluate(find);
      // Elements that still move are not clicked.
      const stands = place !== null && JSON.stringify(place) === last;
      last = JSON.stringify(place);
      if (!stands || typeof place !== "object") return false;
      await this.#tab.clickAt(Number(Reflect.get(place, "x")), Number(Reflect.get(place, "y")));
      return !(await this.#wasMissed());
    });
  }

  /** Whether the element had moved from under the pointer before it was pressed. */
  async #wasMissed(): Promise<boolean> {
    for (let check = 0; check < 10; check += 1) {
      // The page may have been left by the click.
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      if ((await this.#tab.evaluate("window.wasHit").catch(() => true)) !== false) return false;
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  }

  /** Clicks a field and types into it. */
  async fill(name: RegExp, text: string): Promise<void> {
    await this.click("textbox", name);
    await this.#tab.type(text);
  }

  async type(text: string): Promise<void> {
    await this.#tab.type(text);
  }

  async pressEnter(): Promise<void> {
    await this.#tab.type(ENTER);
  }

  /** Waits for a text on the page. */
  async sees(text: RegExp): Promise<void> {
    await this.holds(`new RegExp(${JSON.stringify(text.source)}, "mu").test(document.body.innerText)`);
  }

  async seesNo(text: RegExp): Promise<void> {
    await this.holds(`!new RegExp(${JSON.stringify(text.source)}, "mu").test(document.body.innerText)`);
  }

  /** Waits until an expression in the page is true. */
  async holds(expression: string): Promise<void> {
    await this.#until(expression, async () => (await this.#tab.evaluate(expression)) === true);
  }

  async evaluate(expression: string): Promise<unknown> {
    return this.#tab.evaluate(expression);
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    let failure = "";
    do {
      try {
        if (await isSo()) return;
      } catch (error) {
        // The page was still loading.
        failure = error instanceof Error ? error.message : "";
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (Date.now() < deadline);
    const shown = await this.#tab.evaluate("location.href + '\\n' + document.body.innerText").catch(String);
    throw new Error(`${what} did not come: ${failure}\n${String(shown)}`);
  }
}
