import { t } from "@lingui/core/macro";

import { pageLocale } from "./locale";

/** A duration in seconds: rounded seconds below a minute, else rounded minutes; 'N/A' if it is invalid or negative. */
export function duration(seconds: number | null | undefined): string {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) return t`N/A`;
  if (seconds < 60) return t`${{ seconds: Math.round(seconds) }} sec`;
  return t`${{ minutes: Math.round(seconds / 60) }} min`;
}

/** A time in words, to the minute. */
export function inWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes === 0) return seconds > 0 ? t`less than a minute` : t`no time`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [
    ...(hours > 0 ? [counted(hours, "hour")] : []),
    ...(rest > 0 ? [counted(rest, "minute")] : []),
  ];
  return parts.join(" ");
}

/** '2 hours' */
export function counted(count: number, unit: "minute" | "hour" | "day" | "year"): string {
  return new Intl.NumberFormat(pageLocale(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}
