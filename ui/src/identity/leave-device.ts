import { showBadge } from "../ui/badge";

/** Ends the notifications on this device: unsubscribes, closes what is shown, and clears the badge. */
export async function leaveDevice(): Promise<void> {
  showBadge(0);
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration === undefined) return;
    const subscription = await registration.pushManager.getSubscription();
    await subscription?.unsubscribe();
    for (const shown of await registration.getNotifications()) shown.close();
  } catch {
    // The server has ended the subscription already.
  }
}
