import type { components } from "../api/generated/schema";

/** Whether this browser can show notifications of this page: over https, and on an iPhone from the home screen. */
export function canBePushed(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The guardian or their browser doesn't allow notifications. */
export class NotAllowed extends Error {
  override name = "NotAllowed";
}

/** Subscribes this browser with the server's key; what it subscribed to before ends. Fails with {@link NotAllowed}. */
export async function subscribe(key: string): Promise<components["schemas"]["PushSubscription"]> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
  return { key, endpoint, p256dh, auth };
}

/** Whether this browser subscribes, as far as it knows: the server may have ended it. */
export async function isSubscribed(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration();
  return ((await registration?.pushManager.getSubscription()) ?? null) !== null;
}
