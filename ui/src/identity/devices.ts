/** Texts that describe a device. */
import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import type { components } from "../api/generated/schema";
import { timeOfDay } from "../format/dates";
import { oneOfNames } from "../format/names";

export type Device = components["schemas"]["Device"];

/** The polling interval while waiting for the other device. */
export const POLL_MS = 1500;

/**
 * At the beginning of a sentence. The server names it in English: 'Firefox on Android', 'A browser on a Mac or an iPad'. In other
 * languages 'Firefox (Android)'.
 */
export function deviceName({ device }: Device | { device: string | undefined }): string {
  if (device === undefined) return t`An unknown device`;
  const [browser = "", system] = device.split(" on ");
  if (i18n.locale === "en" || system === undefined) return device;
  const systems = system.split(" or ").map((name) => name.replace(/^an? /u, ""));
  const either = oneOfNames(systems);
  return browser === "A browser" ? either : `${browser} (${either})`;
}

/** "from 192.168.1.21, at 9:05 PM" */
export function fromWhere({ address, requested_at }: Device): string {
  const time = timeOfDay(requested_at);
  return address === undefined ? t`at ${time}` : t`from ${address}, at ${time}`;
}
