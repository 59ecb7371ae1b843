/** The reviewer of a child of the fake backend. */
import { type HttpHandler, HttpResponse } from "msw";

import { type FakeStepUp, stepUpNeeded } from "./fake-backend-step-up";
import { type ForGuardian, misbehaviour } from "./fake-call";
import type { Family } from "./families";
import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];
type Reviewer = Schemas["Reviewer"];

export const goodFigures: Schemas["ReviewerFigures"] = {
  tested_at: "2026-11-03T17:00:00Z",
  concerns: [
    { concern: "self_harm", found: 40, missed: 8, false_alarms: 1, quotes_not_there: 2, seconds: 2.34 },
    { concern: "assistant", found: 1200, missed: 12, false_alarms: 0, quotes_not_there: 0, seconds: 3 },
  ],
  false_alarms_a_week: 1.5,
  unfit: false,
};

export class FakeReviewer {
  view: Reviewer = { state: "unavailable", ended: false, at_home: false, not_reviewed: 0 };
  /** Whether other guardians must agree. */
  hasOthers = false;

  /** A tested model is named: at home, or elsewhere. */
  offer(isPrivate: boolean, changed: Partial<Reviewer> = {}): void {
    const named = isPrivate
      ? { model: "llama3.1:8b", host: "192.168.1.5:11434" }
      : { model: "gpt-4.1-mini", host: "api.example.org" };
    this.view = {
      ...this.view,
      state: "off",
      ...named,
      private: isPrivate,
      figures: goodFigures,
      ...changed,
    };
  }

  /** Another guardian has switched it on. */
  switchOnElsewhere(changed: Partial<Reviewer> = {}): void {
    const by = { is_you: false, name: "Ben" };
    const since = "2026-11-22T17:00:00Z";
    this.view = { ...this.view, state: "waiting", by, since, shown: false, confirmed: false, ...changed };
  }

  switchOn(named: Schemas["NamedReviewer"], steppedUp: boolean): Response {
    const refusal = this.#refusal(named, steppedUp);
    if (refusal !== null) return refusal;
    const state = this.view.private === true || !this.hasOthers ? "on" : "waiting";
    const by = { is_you: true };
    this.view = {
      ...this.view,
      state,
      by,
      since: new Date().toISOString(),
      shown: true,
      confirmed: true,
      ended: false,
    };
    return done();
  }

  confirm(named: Schemas["NamedReviewer"], steppedUp: boolean): Response {
    const refusal = this.#refusal(named, steppedUp);
    if (refusal !== null) return refusal;
    this.view = { ...this.view, state: "on", shown: true, confirmed: true };
    return done();
  }

  switchOff(): Response {
    const { by: _, since: __, shown: ___, confirmed: ____, due_at: _____, ...without } = this.view;
    this.view = { ...without, state: "off" };
    return done();
  }

  noteShown({ model }: Schemas["NamedReviewer"]): Response {
    if (this.view.state === "waiting" && model === this.view.model)
      this.view = { ...this.view, shown: true, due_at: "2030-11-29T17:00:00Z" };
    return done();
  }

  switchAtHome(on: boolean, steppedUp: boolean): Response {
    if (on && !steppedUp) return stepUpNeeded();
    const { at_home_by: _, ...without } = this.view;
    this.view = { ...without, at_home: on, ...(on && { at_home_by: { is_you: true } }) };
    return done();
  }

  #refusal({ model, host }: Schemas["NamedReviewer"], steppedUp: boolean): Response | null {
    if (!steppedUp) return stepUpNeeded();
    if (model === this.view.model && host === this.view.host) return null;
    const detail = "The model, or where it is, has changed meanwhile, so nothing was changed.";
    return problem(409, "reviewer_changed", detail);
  }
}

export function reviewerIn({ reviewers }: Family, childId: number): FakeReviewer {
  const known = reviewers.get(childId) ?? new FakeReviewer();
  reviewers.set(childId, known);
  return known;
}

function done(): Response {
  return new HttpResponse(null, { status: 204 });
}

export function reviewerHandlers(forGuardian: ForGuardian, stepUp: FakeStepUp): HttpHandler[] {
  return [
    forGuardian("get", "/child/{childId}/reviewer", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? reviewerIn(family, childId).view;
    }),

    forGuardian("put", "/child/{childId}/reviewer", ({ params, body }, family) =>
      reviewerIn(family, Number(params["childId"])).switchOn(body, stepUp.steppedUp),
    ),

    forGuardian("delete", "/child/{childId}/reviewer", ({ params }, family) =>
      reviewerIn(family, Number(params["childId"])).switchOff(),
    ),

    forGuardian("put", "/child/{childId}/reviewer/confirmation", ({ params, body }, family) =>
      reviewerIn(family, Number(params["childId"])).confirm(body, stepUp.steppedUp),
    ),

    forGuardian("put", "/child/{childId}/reviewer/shown", ({ params, body }, family) =>
      reviewerIn(family, Number(params["childId"])).noteShown(body),
    ),

    forGuardian("put", "/child/{childId}/reviewer/at_home", ({ params, body }, family) =>
      reviewerIn(family, Number(params["childId"])).switchAtHome(body.on, stepUp.steppedUp),
    ),
  ];
}
