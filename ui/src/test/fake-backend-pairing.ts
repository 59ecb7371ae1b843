import { HttpResponse } from "msw";

import { stepUpNeeded } from "./fake-backend-step-up";
import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** The token of every pairing QR code. */
export const PAIRING_TOKEN = `par_${"P".repeat(43)}`;

/** The digits that every other device shows. */
export const SHOWN_DIGITS = "047";

/** Digits to type on another device; three wrong attempts invalidate them. */
export class FakeDigits {
  #wrongTries = 0;

  /** The error response for wrong digits; null for the right ones. `onEnd` is called at the third wrong attempt. */
  refusalOf(digits: string, onEnd: () => void): Response | null {
    if (digits.replaceAll(" ", "") === SHOWN_DIGITS) return null;
    this.#wrongTries += 1;
    if (this.#wrongTries < 3) {
      return problem(422, "digits_wrong", "The other device shows other digits. Please look again.", {
        at: "/digits",
      });
    }
    onEnd();
    return problem(422, "digits_wrong_three_times", "Wrong digits three times. Please begin again.");
  }
}

/** The server's state of a pairing. Both devices use the same backend. */
export class FakePairing {
  state: Schemas["Pairing"] = { state: "ended" };
  /** The device that scans. */
  phone: Schemas["Device"] = { device: "Firefox on Android", address: "192.168.1.21", requested_at: now() };
  /** Whether the digits were typed. */
  isConfirmed = false;
  #digits = new FakeDigits();

  begin(steppedUp: boolean): Schemas["CreatedPairing"] | Response {
    if (!steppedUp) return stepUpNeeded();
    const until = inTwoMinutes();
    this.state = { state: "waiting", until };
    this.isConfirmed = false;
    this.#digits = new FakeDigits();
    const link = `http://192.168.1.20:8080/pair#token=${PAIRING_TOKEN}`;
    return { shown: { link, qr_code: ["101", "010", "101"] }, until };
  }

  end(): Response {
    this.state = { state: "ended" };
    return new HttpResponse(null, { status: 204 });
  }

  confirm(digits: string): Response {
    if (this.state.state !== "claimed") return pairingEnded();
    const refusal = this.#digits.refusalOf(digits, () => this.end());
    if (refusal !== null) return refusal;
    this.isConfirmed = true;
    return new HttpResponse(null, { status: 204 });
  }

  claim(token: string = PAIRING_TOKEN): Schemas["ClaimedPairing"] | Response {
    if (this.state.state === "signed_in") return pairingEnded();
    if (this.state.state !== "waiting" || token !== PAIRING_TOKEN) {
      this.end();
      return pairingEnded();
    }
    this.phone = { ...this.phone, requested_at: now() };
    this.state = { ...this.state, state: "claimed", device: this.phone };
    return {
      claim: `clm_${"C".repeat(43)}`,
      whose: "Robin Keller",
      shown_by: { device: "Firefox on Linux", address: "192.168.1.20", requested_at: now() },
      digits: SHOWN_DIGITS,
      until: inTwoMinutes(),
    };
  }

  /** The error response to completing the pairing; null if it succeeds. */
  refusalOfCompletion(): Response | null {
    if (this.state.state !== "claimed") return pairingEnded();
    if (!this.isConfirmed) return new HttpResponse(null, { status: 202 });
    this.state = { state: "signed_in", device: this.phone };
    return null;
  }
}

function pairingEnded(): Response {
  return problem(
    422,
    "pairing_code_invalid",
    "This code does not work any more. Please show a new one on the device that is signed in.",
  );
}

function now(): string {
  return new Date().toISOString();
}

function inTwoMinutes(): string {
  return new Date(Date.now() + 120_000).toISOString();
}
