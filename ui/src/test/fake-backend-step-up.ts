import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** The digits of every e-mail. */
export const EMAILS_CODE = "123 456";

/** The server's state of recovery codes and step-up. */
export class FakeStepUp {
  /** The unused codes; null if none were ever created. */
  codes: string[] | null = codesNumber(0);
  madeAt = "2026-11-20T17:00:00Z";
  /** Whether the codes were created on another device, and the notice was not dismissed here. */
  areNew = false;
  steppedUp = true;
  sendsEmail = true;
  /** Whether an account at the provider is linked. */
  hasAccount = false;
  /** Whether no account is linked at the provider. */
  canLink = false;
  hasOtherDevice = false;
  isAsking = false;
  #made = 0;

  left(): Schemas["RecoveryCodes"] {
    const { codes, madeAt } = this;
    if (codes === null) return { left: 0 };
    return { left: codes.length, created_at: madeAt, ...(this.areNew && { are_new: true }) };
  }

  make(): Schemas["CreatedRecoveryCodes"] | Response {
    if (!this.steppedUp && this.codes !== null) return stepUpNeeded();
    this.#made += 1;
    this.codes = codesNumber(this.#made);
    return { codes: this.codes };
  }

  /** Consumes a code; false if it is invalid. */
  use(code: string): boolean {
    if (this.codes?.includes(code) !== true) return false;
    this.codes = this.codes.filter((other) => other !== code);
    return true;
  }

  state(): Schemas["StepUp"] {
    const byEmail = this.sendsEmail ? (["email"] as const) : [];
    const byCode = (this.codes ?? []).length > 0 ? (["recovery_code"] as const) : [];
    const atProvider = this.hasAccount ? (["provider"] as const) : [];
    const byDevice = this.hasOtherDevice ? (["other_device"] as const) : [];
    return {
      ways: [...byEmail, ...byDevice, ...byCode, ...atProvider],
      ...(this.steppedUp && { until: "2030-01-01T00:00:00Z" }),
      ...(this.isAsking && { is_asking: true }),
      ...(this.canLink && { can_link: true }),
    };
  }

  ask(): Schemas["AskedDigits"] | Response {
    if (!this.hasOtherDevice) {
      const detail = "There is no other device on which you have been signed in for over a day.";
      return problem(422, "no_other_device", detail);
    }
    this.isAsking = true;
    return { digits: "047", until: "2030-01-01T00:00:00Z" };
  }

  /** Simulates another device's response. */
  answer(isYes: boolean): void {
    this.isAsking = false;
    this.steppedUp = isYes;
  }

  stepUp({ way, code }: Schemas["StepUpRequest"]): Schemas["SteppedUp"] | Response {
    const right = way === "email" ? code === EMAILS_CODE : this.use(code);
    if (!right) return way === "email" ? wrongEmailCode() : wrongRecoveryCode();
    this.steppedUp = true;
    return { until: "2030-01-01T00:00:00Z" };
  }
}

/** The 403 response of a call that requires step-up. */
export function stepUpNeeded(): Response {
  return problem(403, "step_up_required", "Please confirm first that it is you.");
}

export function wrongRecoveryCode(): Response {
  return problem(422, "recovery_code_invalid", "This code does not work.", { at: "/code" });
}

function wrongEmailCode(): Response {
  return problem(422, "email_code_invalid", "This code does not work.", { at: "/code" });
}

function codesNumber(round: number): string[] {
  return Array.from({ length: 10 }, (_, index) => `K7QX-3M0V-9T${round}D-HC${index}A`);
}
