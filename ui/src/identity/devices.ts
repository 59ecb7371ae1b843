/** Another device of the guardian's, in words. */
import type { components } from "../api/generated/schema";
import { timeOfDay } from "../format/dates";

export type Device = components["schemas"]["Device"];

/** How often it is asked whether the other device has gone on. */
export const POLL_MS = 1500;

/** What kind it is, at the beginning of a sentence. */
export function deviceName({ device }: Device): string {
  return device ?? "An unknown device";
}

/** From where and when it called: "from 192.168.1.21, at 9:05 PM". */
export function fromWhere({ address, at }: Device): string {
  const time = `at ${timeOfDay(at)}`;
  return address === undefined ? time : `from ${address}, ${time}`;
}
