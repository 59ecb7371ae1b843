/** Texts that describe a device. */
import { t } from "@lingui/core/macro";
import type { components } from "../api/generated/schema";
import { timeOfDay } from "../format/dates";

export type Device = components["schemas"]["Device"];

/** The polling interval while waiting for the other device. */
export const POLL_MS = 1500;

/** At the beginning of a sentence. */
export function deviceName({ device }: Device): string {
  return device ?? t`An unknown device`;
}

/** "from 192.168.1.21, at 9:05 PM" */
export function fromWhere({ address, at }: Device): string {
  const time = timeOfDay(at);
  return address === undefined ? t`at ${time}` : t`from ${address}, at ${time}`;
}
