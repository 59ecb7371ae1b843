/** Ends the notifications on this device: unsubscribes, and closes what is shown. */
export async function leaveDevice(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration === undefined) return;
    const subscription = await registration.pushManager.getSubscription();
    await subscription?.unsubscribe();
    for (const shown of await registration.getNotifications()) shown.close();
  } catch {
    // The server sends nothing any more, whatever the browser does.
  }
}
