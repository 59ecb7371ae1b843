/** Stores in this browser that recovery codes were shown to a guardian who has not confirmed that they are saved. */
import { browserStorage } from "../ui/browser-storage";

const KEY = "recoveryCodesNotKept";

export function noteCodesShown(guardianId: string): void {
  browserStorage.set(KEY, guardianId);
}

export function noteCodesKept(): void {
  browserStorage.remove(KEY);
}

export function areCodesUnkept(guardianId: string): boolean {
  return browserStorage.get(KEY) === guardianId;
}
