import { HttpResponse } from "msw";

import { stepUpNeeded } from "./fake-backend-step-up";
import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** The tokens of the e-mails about an address. */
export const CONFIRM_TOKEN = `adr_${"A".repeat(43)}`;
export const STOP_TOKEN = `ads_${"A".repeat(43)}`;

/** The server's state of the guardian's address change. */
export class FakeAddress {
  change: Schemas["AddressChange"] | null = null;

  state(email: string): Schemas["OwnAddress"] {
    return { email, ...(this.change !== null && { change: this.change }) };
  }

  ask(email: string, own: string, steppedUp: boolean): Response {
    if (!steppedUp) return stepUpNeeded();
    if (email === own)
      return problem(422, "address_unchanged", "This is your address already.", { at: "/email" });
    this.change = {
      email,
      requested_at: "2026-11-22T17:00:00Z",
      due_at: "2026-11-23T17:00:00Z",
      answered: false,
    };
    return new HttpResponse(null, { status: 204 });
  }

  stop(): Response {
    this.change = null;
    return new HttpResponse(null, { status: 204 });
  }

  useLink(token: string): Schemas["AddressLinkUsed"] | Response {
    const { change } = this;
    if (change === null) {
      const ended =
        "This link does not work any more. If you still want to change your address, please ask for it again.";
      return problem(422, "address_link_invalid", ended, { at: "/token" });
    }
    if (token === STOP_TOKEN) {
      this.change = null;
      return { outcome: "stopped" };
    }
    change.answered = true;
    return { outcome: "confirmed" };
  }
}
