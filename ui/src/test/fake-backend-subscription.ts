/** The subscription of the fake backend's guardian. */
import { type HttpHandler, HttpResponse } from "msw";

import { type FakeStepUp, stepUpNeeded } from "./fake-backend-step-up";
import type { ForGuardian } from "./fake-call";
import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

export class FakeSubscription {
  settings: Schemas["SubscriptionSettings"] = {
    time_zone: "Europe/Berlin",
    at_once: { email: false, kinds: ["phrase", "outside_times", "reviewer"], urgent_passes: false },
    weekly: { enabled: false, weekday: "sun", hour: 18 },
    quotes: false,
    webhook_refused: false,
  };
  quotesSince: string | undefined = undefined;
  /** The ntfy server; undefined if there is none. */
  server: string | undefined = undefined;
  notificationsSince: string | undefined = undefined;
  /** The host of the administrator's webhook; undefined if there is none. */
  webhook: string | undefined = undefined;
  restored: Schemas["SubscriptionRestored"] | undefined = undefined;
  arrivals: Schemas["SubscriptionArrivals"] = { email: {}, notification: {}, push: {}, webhook: {} };
  /** Of the device that is signed in. */
  push: Schemas["PushSubscriptionStatus"] = { others: 0 };
  /** What the browser subscribed to. */
  pushed: Schemas["PushSubscription"] | undefined = undefined;
  /** What becomes of the next test. */
  tested: Schemas["MessageTested"] = { taken: true, outcome: "The mail server accepted it." };
  /** How many topics were made. */
  topics = 0;
  /** Incremented by each change; the ETag contains it. */
  version = 1;
  /** The error with which saving fails; null if it succeeds. */
  refusal: (() => Response) | null = null;

  view(): Response {
    const { settings, quotesSince, server, notificationsSince: since, webhook } = this;
    const view: Schemas["Subscription"] = {
      settings,
      notification: {
        enabled: since !== undefined,
        ...(server !== undefined && { server }),
        ...(since !== undefined && { since }),
      },
      ...(this.restored !== undefined && { restored: this.restored }),
      ...(quotesSince !== undefined && { quotes_since: quotesSince }),
      ...(webhook !== undefined && { webhook: { host: webhook } }),
    };
    return HttpResponse.json(view, { headers: { ETag: `"${this.version}"` } });
  }

  /** Simulates a change on another device. */
  changeElsewhere(changed: Partial<Schemas["SubscriptionSettings"]>): void {
    this.settings = { ...this.settings, ...changed };
    this.version += 1;
  }

  switchOn(steppedUp: boolean): Schemas["NotificationTopic"] | Response {
    const { server } = this;
    if (server === undefined)
      return problem(409, "notifications_not_configured", "This server cannot send notifications.");
    if (!steppedUp) return stepUpNeeded();
    this.topics += 1;
    this.version += 1;
    this.notificationsSince = "2026-11-05T17:00:00Z";
    const topic = String(this.topics).padStart(32, "0");
    const link = `ntfy://${new URL(server).host}/${topic}?display=Porchlight`;
    return { server, topic, link, qr_code: ["101", "010", "101"] };
  }

  switchOff(): Response {
    if (this.refusal !== null) return this.refusal();
    this.notificationsSince = undefined;
    this.version += 1;
    return new HttpResponse(null, { status: 204 });
  }

  notifyDevice(device: Schemas["PushSubscription"], steppedUp: boolean): Response {
    if (this.refusal !== null) return this.refusal();
    if (!steppedUp) return stepUpNeeded();
    if (device.key !== this.push.key)
      return problem(
        409,
        "push_key_replaced",
        "This server has a new key for notifications. Please load the page again and switch them on.",
      );
    this.pushed = device;
    this.push = { ...this.push, since: "2026-11-05T17:00:00Z" };
    return new HttpResponse(null, { status: 204 });
  }

  stopNotifyingDevice(): Response {
    const { since: _, ended_since: __, ...rest } = this.push;
    this.push = rest;
    this.pushed = undefined;
    return new HttpResponse(null, { status: 204 });
  }

  replace(settings: Schemas["SubscriptionSettings"], expected: string | null, steppedUp: boolean): Response {
    if (this.refusal !== null) return this.refusal();
    if (expected !== null && expected !== `"${this.version}"`)
      return problem(
        412,
        "notifications_changed",
        "Your choices were changed meanwhile. Please look at them again and repeat your change.",
      );
    if (settings.quotes && this.quotesSince === undefined && !steppedUp) return stepUpNeeded();
    this.quotesSince = settings.quotes ? (this.quotesSince ?? "2026-11-03T17:00:00Z") : undefined;
    this.restored = undefined;
    this.changeElsewhere(settings);
    return this.view();
  }

  test({ channel }: Schemas["MessageTest"]): Schemas["MessageTested"] {
    const { taken, outcome: why } = this.tested;
    const now = new Date().toISOString();
    this.arrivals[channel] = taken ? { taken_at: now } : { refused: { since: now, why } };
    return this.tested;
  }
}

export function subscriptionHandlers(forGuardian: ForGuardian, stepUp: FakeStepUp): HttpHandler[] {
  return [
    forGuardian("get", "/subscription", (_call, family) => family.subscription.view()),

    forGuardian("put", "/subscription", ({ headers, body }, family) =>
      family.subscription.replace(body, headers.get("If-Match"), stepUp.steppedUp),
    ),

    forGuardian("get", "/subscription/arrivals", (_call, family) => family.subscription.arrivals),

    forGuardian("post", "/subscription/tests", ({ body }, family) => family.subscription.test(body)),

    forGuardian("post", "/subscription/notifications", (_call, family) =>
      family.subscription.switchOn(stepUp.steppedUp),
    ),

    forGuardian("delete", "/subscription/notifications", (_call, family) => family.subscription.switchOff()),

    forGuardian("get", "/subscription/push", (_call, family) => family.subscription.push),

    forGuardian("put", "/subscription/push", ({ body }, family) =>
      family.subscription.notifyDevice(body, stepUp.steppedUp),
    ),

    forGuardian("delete", "/subscription/push", (_call, family) => family.subscription.stopNotifyingDevice()),
  ];
}
