import type { ProblemCode } from "../src/api/problem";
import type { Page } from "@playwright/test";

/** The `detail` of a refused request. */
export const REFUSAL = "The store is being repaired. Please try again in a minute.";

/** The console messages for a refused request. */
export const REFUSED = /status of 40[04]|RequestFailed/u;

/** The console message for the response to signing out. */
export const CACHE_CLEARED = /Clear-Site-Data header .* Cleared data types/u;

/** The console messages for a request without a network. */
export const DISCONNECTED = /net::ERR_INTERNET_DISCONNECTED|RequestFailed: The server can't be reached/u;

/** Delays or refuses a page's requests to some addresses. */
export class NetworkGate {
  readonly #page: Page;
  #release = () => {};

  constructor(page: Page) {
    this.#page = page;
  }

  /** Delays requests to these addresses until `clear`. */
  async hold(addresses: RegExp): Promise<void> {
    await this.clear();
    const cleared = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    await this.#page.route(addresses, async (route) => {
      await cleared;
      // The page may be closed.
      await route.continue().catch(() => {});
    });
  }

  /** Answers requests to these addresses with `REFUSAL`, by default as if there were nothing. */
  async refuse(addresses: RegExp, [status, code]: [number, ProblemCode] = [404, "not_found"]): Promise<void> {
    await this.clear();
    await this.#page.route(addresses, (route) => route.fulfill({ status, json: { detail: REFUSAL, code } }));
  }

  /** Lets all requests through, also the delayed ones. */
  async clear(): Promise<void> {
    this.#release();
    await this.#page.unrouteAll({ behavior: "wait" });
  }
}
