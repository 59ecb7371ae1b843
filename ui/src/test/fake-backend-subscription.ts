/** What the guardian of the fake backend is told, and when. */
import { HttpResponse } from "msw";

import { stepUpNeeded } from "./fake-backend-step-up";
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
  notification: Schemas["NotificationSubscription"] = { enabled: false };
  /** Incremented by each change; the ETag contains it. */
  version = 1;
  /** The error with which saving fails; null if it succeeds. */
  refusal: string | null = null;

  view(): Response {
    const { settings, notification, quotesSince } = this;
    const view: Schemas["Subscription"] = {
      settings,
      notification,
      ...(quotesSince !== undefined && { quotes_since: quotesSince }),
    };
    return HttpResponse.json(view, { headers: { ETag: `"${this.version}"` } });
  }

  /** Simulates a change on another device. */
  changeElsewhere(changed: Partial<Schemas["SubscriptionSettings"]>): void {
    this.settings = { ...this.settings, ...changed };
    this.version += 1;
  }

  replace(settings: Schemas["SubscriptionSettings"], expected: string | null, steppedUp: boolean): Response {
    if (this.refusal !== null) return refused(503, this.refusal);
    if (expected !== null && expected !== `"${this.version}"`)
      return refused(
        412,
        "Your choices were changed meanwhile. Please look at them again and repeat your change.",
      );
    if (settings.quotes && this.quotesSince === undefined && !steppedUp) return stepUpNeeded();
    this.quotesSince = settings.quotes ? (this.quotesSince ?? "2026-11-03T17:00:00Z") : undefined;
    this.changeElsewhere(settings);
    return this.view();
  }
}

function refused(status: number, detail: string): Response {
  return HttpResponse.json({ detail } satisfies Schemas["Problem"], { status });
}
