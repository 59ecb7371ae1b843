import type { Child } from "./children";
import { browserStorage } from "../ui/browser-storage";

const KEY = "knownChildren";

/** Keeps the numbers of a guardian's children in this browser, for the next visit. */
export function keepKnownChildren(guardianId: string, children: readonly Child[]): void {
  browserStorage.set(KEY, [guardianId, ...children.map((child) => child.child_id)].join(" "));
}

/** Whether this was one of the guardian's children when they were here last. */
export function isKnownChild(guardianId: string, childId: number): boolean {
  const [keptFor, ...ids] = browserStorage.get(KEY)?.split(" ") ?? [];
  return keptFor === guardianId && ids.includes(String(childId));
}
