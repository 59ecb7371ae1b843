/** Remembers in this browser that a guardian has accepted an invitation, which the child's other guardians may still answer. */
import { browserStorage } from "../ui/browser-storage";

const KEY = "acceptedInvitation";

export function noteAccepted(guardianId: string, at: Date): void {
  browserStorage.set(KEY, `${guardianId} ${at.toISOString()}`);
}

/** When this guardian accepted an invitation in this browser; null if they did not. */
export function acceptedAt(guardianId: string): string | null {
  const [id, at] = browserStorage.get(KEY)?.split(" ") ?? [];
  return id === guardianId && at !== undefined && !Number.isNaN(Date.parse(at)) ? at : null;
}
