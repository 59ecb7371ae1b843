/** Shows this number on the app's icon, if the app is installed. */
export function showBadge(count: number): void {
  if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => {});
}
