/** Changes of a guardian's subscription: which messages they get, and when. */
import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { shortDate } from "../format/dates";

type Schemas = components["schemas"];

export type Subscription = Schemas["Subscription"];
export type Push = Schemas["PushSubscriptionStatus"];
export type Settings = Schemas["SubscriptionSettings"];
export type OwnQuietHours = Schemas["OwnQuietHours"];
export type AlertKind = Schemas["NotifiableAlertKind"];
export type Weekday = Schemas["WeeklyEmail"]["weekday"];

/** A guardian's change. After a conflict it is repeated on what another device has saved. */
export type SettingsChange =
  | { kind: "email at once"; on: boolean }
  | { kind: "alerts of a kind"; alerts: AlertKind; on: boolean }
  | { kind: "urgent alerts"; on: boolean }
  /** `children` are all of the guardian's. */
  | { kind: "all children"; on: boolean; children: readonly number[] }
  | { kind: "one child"; childId: number; on: boolean; children: readonly number[] }
  /** Null for none. `timeZone` is the device's. */
  | { kind: "quiet hours"; hours: OwnQuietHours | null; timeZone: string }
  | { kind: "weekly email"; on: boolean; timeZone: string }
  | { kind: "weekly time"; weekday: Weekday; hour: number }
  | { kind: "time zone"; timeZone: string }
  | { kind: "quotes"; on: boolean }
  | { kind: "webhook"; refused: boolean }
  /** Nothing is changed, after a backup was restored. */
  | { kind: "confirm" };

export function withChange(settings: Settings, change: SettingsChange): Settings {
  const { at_once: atOnce, weekly } = settings;
  switch (change.kind) {
    case "email at once":
      return { ...settings, at_once: { ...atOnce, email: change.on } };
    case "alerts of a kind": {
      const others = atOnce.kinds.filter((kind) => kind !== change.alerts);
      return { ...settings, at_once: { ...atOnce, kinds: change.on ? [...others, change.alerts] : others } };
    }
    case "urgent alerts":
      return { ...settings, at_once: { ...atOnce, urgent_passes: change.on } };
    case "all children": {
      const { children: _, ...ofAll } = atOnce;
      return { ...settings, at_once: change.on ? ofAll : { ...atOnce, children: [...change.children] } };
    }
    case "one child": {
      const others = (atOnce.children ?? change.children).filter((id) => id !== change.childId);
      const children = change.on ? [...others, change.childId] : others;
      return { ...settings, at_once: { ...atOnce, children: [...children] } };
    }
    case "quiet hours": {
      const { quiet_hours: _, ...withoutHours } = atOnce;
      if (change.hours === null) return { ...settings, at_once: withoutHours };
      return onClock(settings, change.timeZone, { at_once: { ...atOnce, quiet_hours: change.hours } });
    }
    case "weekly email": {
      const changed = { weekly: { ...weekly, enabled: change.on } };
      return change.on ? onClock(settings, change.timeZone, changed) : { ...settings, ...changed };
    }
    case "weekly time":
      return { ...settings, weekly: { ...weekly, weekday: change.weekday, hour: change.hour } };
    case "time zone":
      return { ...settings, time_zone: change.timeZone };
    case "quotes":
      return { ...settings, quotes: change.on };
    case "webhook":
      return { ...settings, webhook_refused: change.refused };
    case "confirm":
      return settings;
  }
}

/** Whether something follows the guardian's clock. */
export function usesClock({ at_once: { quiet_hours: hours }, weekly }: Settings): boolean {
  return weekly.enabled || hours !== undefined;
}

/** The first change that needs a clock takes the device's: until then the time zone was the server's guess. */
function onClock(settings: Settings, timeZone: string, changed: Partial<Settings>): Settings {
  return { ...settings, ...(!usesClock(settings) && { time_zone: timeZone }), ...changed };
}

/** Of what was confirmed by a step-up. */
export function onSince(since: string): string {
  return t`On since ${{ date: shortDate(since, new Date()) }}`;
}

/** Whether the guardian gets messages at once. */
export function isNotifiedAtOnce({ settings, notification }: Subscription, push: Push): boolean {
  return settings.at_once.email || notification.enabled || push.since !== undefined || push.others > 0;
}
