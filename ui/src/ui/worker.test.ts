import { afterEach, expect, test, vi } from "vitest";

import { registerWorker } from "./worker";

/** A browser whose worker of a newer version waits, or not. */
function browserWith({ waits }: { waits: boolean }) {
  const waiting = waits ? { postMessage: vi.fn<(message: string) => void>() } : null;
  const serviceWorker = Object.assign(new EventTarget(), {
    register: async () => ({ waiting, update: async () => {} }),
  });
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  const reload = vi.fn<() => void>();
  return { waiting, reload, takeOver: () => serviceWorker.dispatchEvent(new Event("controllerchange")) };
}

afterEach(() => Reflect.deleteProperty(navigator, "serviceWorker"));

test("a version that waits takes over when the app is opened, and the page is loaded again", async () => {
  const { waiting, reload, takeOver } = browserWith({ waits: true });
  await registerWorker(reload);
  expect(waiting?.postMessage).toHaveBeenCalledWith("take over");
  expect(reload).not.toHaveBeenCalled();

  takeOver();

  expect(reload).toHaveBeenCalledOnce();
});

test("nothing that was typed meanwhile is lost", async () => {
  const { reload, takeOver } = browserWith({ waits: true });
  await registerWorker(reload);

  dispatchEvent(new Event("input"));
  takeOver();

  expect(reload).not.toHaveBeenCalled();
});

test("the first version loads nothing again, nor does one that arrives later", async () => {
  const { reload, takeOver } = browserWith({ waits: false });
  await registerWorker(reload);

  takeOver();

  expect(reload).not.toHaveBeenCalled();
});
