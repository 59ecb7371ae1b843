/**
 * Registers the service worker, which keeps the app's files. A newer version that waits takes over when the app is opened, unless
 * another tab is open. The page is loaded again then, unless something was typed: the worker has the former version's files, too.
 */
export async function registerWorker(reload: () => void): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  let isTouched = false;
  const onInput = () => {
    isTouched = true;
  };
  addEventListener("input", onInput, { capture: true, once: true });
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register("/worker.js");
  addEventListener("visibilitychange", () => {
    // An app on a phone is seldom loaded anew. Without the server, it is tried the next time.
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
  if (registration.waiting === null) return;
  const onTakenOver = () => {
    if (!isTouched) reload();
  };
  serviceWorker.addEventListener("controllerchange", onTakenOver, { once: true });
  registration.waiting.postMessage("take over");
}

/** Whether this page came from the files that the worker keeps, so that it may be far from the server. */
export function isOfWorker(): boolean {
  return "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
}
