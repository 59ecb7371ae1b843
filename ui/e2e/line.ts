import type { Page } from "@playwright/test";

/** What a refused request is answered with. */
export const REFUSAL = "The store is being repaired. Please try again in a minute.";

/** The browser's own line about a refused request, and the app's own for whoever helps the parent. */
export const REFUSED = /status of 404|RequestFailed/u;

/** The same about a request without a network. */
export const DISCONNECTED = /net::ERR_INTERNET_DISCONNECTED|RequestFailed: The server can't be reached/u;

/** The line between a page and the server: what is asked of some addresses waits, is refused, or passes. */
export class Line {
  readonly #page: Page;
  #letPass = () => {};

  constructor(page: Page) {
    this.#page = page;
  }

  /** Lets what is asked of these addresses wait until `clear`. */
  async hold(addresses: RegExp): Promise<void> {
    await this.clear();
    const cleared = new Promise<void>((resolve) => {
      this.#letPass = resolve;
    });
    await this.#page.route(addresses, async (route) => {
      await cleared;
      // A page that was left no longer waits for its answer.
      await route.continue().catch(() => {});
    });
  }

  /** Answers what is asked of these addresses with 404 and `REFUSAL`. */
  async refuse(addresses: RegExp): Promise<void> {
    await this.clear();
    await this.#page.route(addresses, (route) => route.fulfill({ status: 404, json: { detail: REFUSAL } }));
  }

  async clear(): Promise<void> {
    this.#letPass();
    await this.#page.unrouteAll({ behavior: "wait" });
  }
}
