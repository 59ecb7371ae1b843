import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";

import { server } from "./server";

/** jsdom lays nothing out. Here a window is this large and a line of a list this high, so that lists have a shape. */
const WIDTH = 400;
const HEIGHT = { window: 600, line: 40 };

class ImmediateResizeObserver implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;

  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }

  observe(target: Element): void {
    const height = target.tagName === "LI" ? HEIGHT.line : HEIGHT.window;
    const box = [{ inlineSize: WIDTH, blockSize: height }];
    const entry: ResizeObserverEntry = {
      target,
      contentRect: new DOMRect(0, 0, WIDTH, height),
      borderBoxSize: box,
      contentBoxSize: box,
      devicePixelContentBoxSize: box,
    };
    queueMicrotask(() => this.#callback([entry], this));
  }

  unobserve(): void {}
  disconnect(): void {}
}

// A busy machine takes its time; what is awaited still shows up at once on an idle one.
configure({ asyncUtilTimeout: 5000 });

beforeAll(() => {
  vi.stubGlobal("ResizeObserver", ImmediateResizeObserver);
  // What has no such parent counts as not laid out, and a virtual list keeps it invisible.
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { get: () => document.body });
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  server.listen({ onUnhandledFrame: "error" });
});

beforeEach(() => {
  // Failures are written to the console; a test that expects one reads it from here.
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  delete document.documentElement.dataset["theme"];
});

afterAll(() => server.close());
