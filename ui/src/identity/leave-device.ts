import { showBadge } from "../ui/badge";

/** Ends the notifications on this device: closes what is shown, unsubscribes, and clears the badge. */
export async function leaveDevice(): Promise<void> {
  showBadge(0);
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration === undefined) return;
    for (const shown of await registration.getNotifications()) shown.close();
    const subscription = await registration.pushManager.getSubscription();
    await subscription?.unsubscribe();
  } catch {
    // The server has ended the subscription already.
  }
}
