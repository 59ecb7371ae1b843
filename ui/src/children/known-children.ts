import type { Child } from "./children";
import { browserStorage } from "../ui/browser-storage";

const KEY = "knownChildren";

/** Stores the ids of a guardian's children in this browser, for the next visit. */
export function storeKnownChildren(guardianId: string, children: readonly Child[]): void {
  browserStorage.set(KEY, [guardianId, ...children.map((child) => child.child_id)].join(" "));
}

/** Whether the guardian had this child at the last visit. */
export function isKnownChild(guardianId: string, childId: number): boolean {
  const [keptFor, ...ids] = browserStorage.get(KEY)?.split(" ") ?? [];
  return keptFor === guardianId && ids.includes(String(childId));
}
