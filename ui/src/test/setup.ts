import "@testing-library/jest-dom/vitest";
import { i18n } from "@lingui/core";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";

import { collectLogged, refuseUnexpected } from "./logged";
import { abortRequests, endRequestsWithTheirTest, isOfEndedTest } from "./requests";
import { server } from "./server";
import { dropToken } from "../api/identity-token";

/** jsdom has no layout, so elements get fixed sizes here; virtual lists need them. */
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

// jsdom has no dialogs. As in a browser, closing one restores the focus, unless the dialog is no longer in the document.
const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();

function showModal(this: HTMLDialogElement) {
  focusedBefore.set(this, document.activeElement);
  this.open = true;
  this.querySelector<HTMLElement>("button, input, select, textarea, a")?.focus();
}

function close(this: HTMLDialogElement) {
  this.open = false;
  const before = focusedBefore.get(this);
  if (this.isConnected && before instanceof HTMLElement) before.focus();
}

// Tests show the texts of the source code. Only a production build replaces them by ids.
function openInEnglish() {
  i18n.loadAndActivate({ locale: "en", locales: "en-US", messages: {} });
  document.documentElement.lang = "en";
}
openInEnglish();

// On a busy machine, as in `make test`, importing a page's modules alone can take more than 15 seconds.
configure({ asyncUtilTimeout: process.env["PATIENT_TESTS"] === undefined ? 10_000 : 60_000 });

beforeAll(() => {
  vi.stubGlobal("ResizeObserver", ImmediateResizeObserver);
  // jsdom evaluates no media queries. A device has a mouse unless a test says otherwise.
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(any-pointer: fine)" }));
  // A virtual list hides elements without an offset parent.
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { get: () => document.body });
  Object.assign(HTMLDialogElement.prototype, { showModal, close });
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  server.listen({
    onUnhandledFrame: ({ frame, defaults }) => {
      if (!isOfEndedTest(frame.data)) defaults.error();
    },
  });
  endRequestsWithTheirTest();
});

beforeEach(() => {
  collectLogged();
});

afterEach(() => {
  refuseUnexpected();
});

afterEach(() => {
  cleanup();
  abortRequests();
  server.resetHandlers();
  dropToken();
  localStorage.clear();
  delete document.documentElement.dataset["theme"];
  openInEnglish();
});

afterAll(() => server.close());
