/**
 * A fake backend for the browser (`npm run dev`) and the tests. Its responses are typed by the contract.
 *
 * Certain inputs make it fail, so that every failure can be tried by hand:
 *
 * | Typed where | Value | What happens |
 * |---|---|---|
 * | e-mail on /login | `fail@example.com` | the e-mail can't be sent (503, with a sentence) |
 * | | `offline@example.com` | the server is out of reach |
 * | | `slow@example.com` | the request is never answered |
 * | | anything else | a sign-in link is printed on the console; its e-mail decides whose family is shown: |
 * | | `nobody@example.com` | … a guardian without children |
 * | | `one@example.com` | … one child |
 * | | `hostile@example.com` | … long names, Arabic, emoji, a session of 5,000 messages |
 * | | `no-list@example.com` | … whose list of children fails |
 * | | `alerts@example.com` | … alerts of each kind |
 * | | `reader@example.com` | … a model that reads along: off (Mia's), or another guardian wants it (Noah's) |
 * | | `tries@example.com` | … tries of the rules in each state, at home (Mia's), or a model elsewhere (Noah's) |
 * | | `urgent@needs.example.com` | … of whom this waits; each other state of Summary's first card in the same way |
 * | | `damaged@example.com` | … lists of which some rows (Mia's) or all rows (Noah's) can't be read |
 * | `#token=` on /finish-sign-in | `lnk_` and 43 times `x` | the link has expired (401, with a sentence) |
 * | | `lnk_` and 43 times `y` | the server fails without a sentence |
 * | `#error=` on /login | `denied`, `unknown_guardian`, `unverified_email`, `not_linked`, `expired`, `failed` | the error in the provider's redirect |
 * | child in the address | `/child/404/…` | a child that is not in the list |
 * | | `/child/503/…` (Fails) | every call about this child fails |
 * | | `/child/204/…` (Empty) | nothing has happened yet |
 * | | `/child/102/…` (Slow) | no call about this child is ever answered |
 * | `?session=` | `503` (Mia's) | its messages can't be loaded |
 * | | `204` (Mia's) | it has no messages |
 * | new blocked topic | `fail with detail`, `fail with message`, `fail with nothing` | the list can't be saved |
 * | | `offline`, `slow`, `a while` | the server is out of reach; never answers; answers after 3 seconds |
 * | | `somebody else` | another guardian has added a topic meanwhile |
 * | | `as an object`, `as nothing` | the response contains the saved list as `{topics}`; doesn't contain it |
 * | month of birth | November 2011 | the server refuses it |
 * | watched phrase | `fail with detail` | the phrases can't be saved |
 * | reason of a feedback | `fail with detail`, `fail with message`, `fail with nothing` | the feedback can't be saved |
 * | reason of a feedback | `fail to undo` | it can't be taken back |
 * | | `offline`, `slow`, `a while` | the server is out of reach; never answers; answers after 3 seconds |
 */
import { HttpResponse, type HttpHandler, delay, http } from "msw";

import { answerFeedback, answerTakingBack, indexBehind, openProposals } from "./fake-backend-activities";
import { answerList, answerReplacing, blockListOf } from "./fake-backend-blocked-topics";
import { answerContext, answerReplacingContext, contextOf } from "./fake-backend-context";
import {
  answerDeleted,
  answerErasing,
  answerExport,
  answerMoving,
  answerPeriod,
  answerShown,
  answerTaking,
  forEver,
} from "./fake-backend-retention";
import { alertsHandlers } from "./fake-backend-alerts";
import { attentionHandlers } from "./fake-backend-attention";
import { subscriptionHandlers } from "./fake-backend-subscription";
import { triesHandlers } from "./fake-backend-tries";
import { ageOfPage, profileHandlers } from "./fake-backend-profile";
import { answerMetrics } from "./fake-backend-metrics";
import { reviewerIn, reviewerHandlers } from "./fake-backend-reviewer";
import { answerHistory, answerReplacingTimes, answerTimes, rulesOf } from "./fake-backend-rules";
import { answerChildTalk, answerTalkStatus } from "./fake-backend-talk-status";
import { answerSearch, firstAround } from "./fake-backend-search";
import { FakeHousehold, INVITATION_TOKEN } from "./fake-backend-household";
import { FakeDigits, FakePairing } from "./fake-backend-pairing";
import { type FakeSetup, SETUP_TOKEN } from "./fake-backend-setup";
import { FakeAddress } from "./fake-backend-address";
import { FakeStepUp, stepUpNeeded, wrongRecoveryCode } from "./fake-backend-step-up";
import {
  type Answered,
  type Call,
  type Method,
  type PathWith,
  type RequestBody,
  misbehaviour,
  type ForGuardian,
  listed,
  page,
  readablePage,
} from "./fake-call";
import { notFound, problem } from "./fake-problem";
import { type Family, type FakeSession, familyOf } from "./families";
import { trustContract } from "../api/trust-contract";
import { isShorter } from "../format/retention";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

const EXPIRED_TOKEN = `lnk_${"x".repeat(43)}`;
const FAILING_TOKEN = `lnk_${"y".repeat(43)}`;

export class FakeBackend {
  /** The e-mail address of the guardian with the refresh cookie; null without a cookie. */
  signedInAs: string | null = null;
  cookieHolds = true;
  sendsEmail = true;
  providerName: string | null = null;
  /** Paths of the contract whose requests fail without a response. */
  readonly outOfReach = new Set<string>();
  /** Paths of the contract whose responses are computed at once but sent only when the promise resolves. */
  readonly heldBack = new Map<string, Promise<void>>();
  /** Paths of the contract whose requests never end. */
  readonly neverAnswered = new Set<string>();
  /** The number of requests by path of the contract. */
  readonly calls = new Map<string, number>();
  readonly stepUp = new FakeStepUp();
  readonly address = new FakeAddress();
  readonly pairing = new FakePairing();
  /** The administrator's; null if there is none. */
  helpline: string | null = null;
  /** The guardian's other devices that ask to step up. */
  asking: Schemas["AskingDevice"][] = [];
  readonly askingDigits = new FakeDigits();
  readonly household = new FakeHousehold();
  /** Whether an e-mail carried the link of the invitation. */
  invitedByEmail = false;
  /** Whether an accepted invitation needs the confirmation of the child's other guardians. */
  invitationWaits = false;
  readonly setup: FakeSetup = { open: false, guardian: null };
  /** The address of each unused link, by token. */
  readonly links = new Map<string, string>();
  /** Whether event streams open. Otherwise the requests never end. */
  opensStreams = false;
  /** The time since any child's data last changed, in ms. */
  unchangedForMs = 0;
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** Called for each e-mail. */
  onEmail: (email: string, link: string) => void = () => {};
  /** Called when the cookie changes, so that `browser.ts` can store it. */
  onCookie: (email: string | null) => void = () => {};
  readonly #families = new Map<string, Family>();

  /** The data of a guardian. Tests may modify it. */
  family(email: string): Family {
    const known = this.#families.get(email) ?? familyOf(email);
    this.#families.set(email, known);
    return known;
  }

  /** Sends events to all streams. */
  sendEvents(...changed: string[]): void {
    const text = changed.map((what) => `data: ${what}\n\n`).join("");
    for (const stream of this.#streams) stream.enqueue(new TextEncoder().encode(text));
  }

  /** Sends a keep-alive to all streams, as the server does every 15 s. */
  keepStreams(): void {
    for (const stream of this.#streams) stream.enqueue(new TextEncoder().encode(":\n\n"));
  }

  endStreams(): void {
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  #stream(): Response {
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#streams.add(controller);
        // `fetch` resolves only with the first chunk.
        controller.enqueue(new TextEncoder().encode(":\n\n"));
      },
      cancel: () => void this.#streams.delete(own),
    });
    const unchanged = { "Porchlight-Unchanged-For": String(this.unchangedForMs) };
    return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream", ...unchanged } });
  }

  readonly #ofGuardian: ForGuardian = (method, path, answer) => this.#forGuardian(method, path, answer);

  readonly handlers: HttpHandler[] = [
    this.#on("post", "/auth/link", async ({ body: { email } }) => {
      if (email === "fail@example.com")
        return problem(503, "email_not_sent", "Emails can't be sent right now. Please try again later.");
      if (email === "offline@example.com") return HttpResponse.error();
      if (email === "slow@example.com") await delay("infinite");
      const token = `lnk_${crypto.randomUUID().replaceAll("-", "")}${"0".repeat(11)}`;
      this.links.set(token, email);
      this.onEmail(email, `/finish-sign-in#token=${token}`);
      return new HttpResponse(null, { status: 202 });
    }),

    this.#on("post", "/auth/sign-in", ({ body: { email, token } }) => {
      if (token === EXPIRED_TOKEN)
        return problem(401, "link_expired", "This sign-in link has expired or was already used.");
      if (token === FAILING_TOKEN) return new HttpResponse("<h1>Bad gateway</h1>", { status: 502 });
      if (this.links.get(token) !== email) {
        const detail = "This sign-in link was sent to another e-mail address. Please check the address.";
        return problem(401, "link_of_other_email", detail, { at: "/email" });
      }
      this.links.delete(token);
      this.#setCookie(email);
      return this.#issue(email);
    }),

    this.#on("post", "/auth/recovery", ({ body: { code } }) => {
      if (!this.stepUp.use(code)) return wrongRecoveryCode();
      this.#setCookie("parent@example.com");
      return this.#issue("parent@example.com");
    }),

    this.#forGuardian("get", "/household", (_call, family) => {
      const view = this.household.view();
      return { ...view, assistants: [...view.assistants, ...family.behindGateway] };
    }),

    this.#forGuardian("get", "/household/requests", () => this.household.requests()),

    this.#forGuardian("post", "/household/requests/shown", ({ body }) => this.household.noteShown(body)),

    this.#forGuardian("delete", "/child/{childId}/guardians/me", ({ params }, family) => {
      if (!this.stepUp.steppedUp) return stepUpNeeded();
      family.children = family.children.filter(({ child_id: id }) => id !== Number(params["childId"]));
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("put", "/child/{childId}/deletion", ({ params, body }, family) => {
      const childId = Number(params["childId"]);
      const name = family.children.find(({ child_id: id }) => id === childId)?.name ?? "";
      return this.household.askToDelete(childId, body.name, name, this.stepUp.steppedUp);
    }),

    this.#forGuardian("put", "/child/{childId}/requests/{kind}/confirmation", ({ params, headers }) =>
      this.household.confirmRequest(
        Number(params["childId"]),
        params["kind"],
        headers.get("If-Match"),
        this.stepUp.steppedUp,
      ),
    ),

    this.#forGuardian("delete", "/child/{childId}/requests/{kind}", ({ params }) =>
      this.household.stopRequest(Number(params["childId"]), params["kind"]),
    ),

    this.#forGuardian("get", "/child/{childId}/retention", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      const pending = this.household.asked.find(
        (each) => each.kind === "retention" && each.child_id === childId,
      );
      return (await misbehaviour(childId, family)) ?? answerPeriod(family, childId, pending);
    }),

    this.#forGuardian("put", "/child/{childId}/retention", ({ params, body: { days } }, family) => {
      const childId = Number(params["childId"]);
      const before = family.periods.get(childId) ?? forEver;
      if (isShorter(days, before.days)) {
        if (!this.stepUp.steppedUp) return stepUpNeeded();
        if (this.household.others.length > 0 && days !== null) {
          const request = this.household.ask({ child_id: childId, kind: "retention", days });
          return answerPeriod(family, childId, request);
        }
      }
      family.periods.set(childId, { ...before, days });
      return answerPeriod(family, childId, undefined);
    }),

    this.#forGuardian("get", "/sessions/{sessionId}/kept", ({ params }, family) => {
      const kept = family.kept.has(Number(params["sessionId"]));
      return { kept, by: kept ? [{ is_you: true }] : [] };
    }),

    this.#forGuardian("put", "/sessions/{sessionId}/kept", ({ params, body: { kept } }, family) => {
      if (kept) family.kept.add(Number(params["sessionId"]));
      else family.kept.delete(Number(params["sessionId"]));
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("post", "/invitations", ({ body }) =>
      this.household.invite(body, this.stepUp.steppedUp),
    ),

    this.#forGuardian("put", "/invitations/{invitationId}/confirmation", ({ params, headers }) =>
      this.household.confirmInvitation(
        params["invitationId"],
        headers.get("If-Match"),
        this.stepUp.steppedUp,
      ),
    ),

    this.#forGuardian("delete", "/invitations/{invitationId}", ({ params }) =>
      this.household.stopInvitation(params["invitationId"]),
    ),

    this.#forGuardian("put", "/assistants/{assistantId}/key/kept", ({ params }) =>
      this.household.keepKey(params["assistantId"]),
    ),

    this.#on("post", "/invitations/open", ({ body: { token } }) =>
      token === INVITATION_TOKEN ? { by: "Ada", by_email: this.invitedByEmail } : invitationEnded(),
    ),

    this.#on("post", "/invitations/accept", ({ body: { token, name, email } }) => {
      if (token !== INVITATION_TOKEN) return invitationEnded();
      if (name === "Nobody")
        return problem(422, "name_empty_or_control", "A name cannot be empty or hold control characters.");
      const address = email ?? "invited@example.com";
      this.#setCookie(address);
      return this.#issue(address);
    }),

    this.#forGuardian("post", "/invitations/join", ({ body: { token } }, family) => {
      if (token !== INVITATION_TOKEN) return invitationEnded();
      if (this.invitationWaits) this.household.acceptedAt = new Date().toISOString();
      else family.children.push({ child_id: 9, name: "Zoe" });
      return new HttpResponse(null, { status: 204 });
    }),

    ...profileHandlers(this.#ofGuardian),

    this.#forGuardian(
      "post",
      "/children",
      ({ body: { name, retention_days: days = null, ...profile } }, family) => {
        if (name === "Nobody")
          return problem(422, "name_empty_or_control", "A name cannot be empty or hold control characters.");
        const child = { child_id: Math.max(0, ...family.children.map(({ child_id }) => child_id)) + 1, name };
        family.children.push(child);
        family.periods.set(child.child_id, { ...forEver, days });
        family.profiles.set(child.child_id, profile);
        return child;
      },
    ),

    this.#forGuardian("put", "/child/{childId}/name", ({ params, body: { name } }, family) => {
      const childId = Number(params["childId"]);
      const renamed = { child_id: childId, name };
      family.children = family.children.map((child) => (child.child_id === childId ? renamed : child));
      return renamed;
    }),

    this.#forGuardian("post", "/assistants", ({ body }) =>
      this.household.connect(body, this.stepUp.steppedUp),
    ),

    this.#forGuardian("put", "/assistants/{assistantId}/name", ({ params, body: { name } }) =>
      this.household.rename(params["assistantId"], name),
    ),

    this.#forGuardian("post", "/assistants/{assistantId}/key", ({ params }) =>
      this.household.rotate(params["assistantId"], this.stepUp.steppedUp),
    ),

    this.#forGuardian("put", "/assistants/{assistantId}/upstream", ({ params, body }) =>
      this.household.chooseUpstream(params["assistantId"], body, this.stepUp.steppedUp),
    ),

    this.#forGuardian("delete", "/assistants/{assistantId}", ({ params }) =>
      this.household.revoke(params["assistantId"]),
    ),

    this.#forGuardian("delete", "/child/{childId}/assistants/{assistantId}", ({ params }) =>
      this.household.takeOff(params["assistantId"], Number(params["childId"])),
    ),

    this.#on("post", "/setup", ({ body }) => {
      const { token, name, email, children, time_zone: timeZone, retention_days: days = null } = body;
      if (!this.setup.open || token !== SETUP_TOKEN) return setupLinkEnded();
      if (this.setup.guardian !== null)
        return problem(409, "setup_begun", "Somebody has begun with this link already.");
      if (name === "Nobody")
        return problem(422, "name_empty_or_control", "A name cannot be empty or hold control characters.");
      const family = this.family(email);
      family.guardian = { ...family.guardian, name, email_unverified: true };
      this.setup.timeZone = timeZone;
      family.children = children.map((child, index) => ({ child_id: index + 1, name: child.name }));
      for (const [index, { name: _, ...profile }] of children.entries())
        family.profiles.set(index + 1, profile);
      for (const { child_id: id } of family.children) family.periods.set(id, { ...forEver, days });
      return this.#beginSetup(email);
    }),

    this.#on("post", "/setup/sign_in", ({ body: { token } }) => {
      if (!this.setup.open || token !== SETUP_TOKEN) return setupLinkEnded();
      if (this.setup.guardian === null) return new HttpResponse(null, { status: 204 });
      return this.#beginSetup(this.setup.guardian);
    }),

    this.#forGuardian("post", "/setup/finish", () => {
      this.setup.open = false;
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("get", "/auth/recovery_codes", () => this.stepUp.left()),

    this.#forGuardian("post", "/auth/recovery_codes", () => this.stepUp.make()),

    this.#forGuardian("get", "/auth/address", (_call, family) => this.address.state(family.guardian.email)),

    this.#forGuardian("put", "/auth/address", ({ body }, family) =>
      this.address.ask(body.email, family.guardian.email, this.stepUp.steppedUp),
    ),

    this.#forGuardian("delete", "/auth/address", () => this.address.stop()),

    this.#forGuardian("put", "/auth/language", ({ body }, family) => {
      family.guardian.language = body.language;
      return new HttpResponse(null, { status: 204 });
    }),

    this.#on("post", "/auth/email", ({ body: { token } }) => this.address.useLink(token)),

    this.#forGuardian("get", "/auth/step_up", () => this.stepUp.state()),

    this.#forGuardian("post", "/auth/step_up", ({ body }, family) => {
      const answer = this.stepUp.stepUp(body);
      if (body.way === "email" && this.stepUp.steppedUp) delete family.guardian.email_unverified;
      return answer;
    }),

    this.#forGuardian("post", "/auth/step_up/email", () => new HttpResponse(null, { status: 204 })),

    this.#forGuardian("post", "/auth/step_up/other_device", () => this.stepUp.ask()),

    this.#forGuardian("get", "/auth/asking_devices", () => ({ items: this.asking })),

    this.#forGuardian("post", "/auth/asking_devices/{signInId}", ({ params, body: { digits } }) => {
      if (!this.#asks(params["signInId"])) return notFound();
      const end = () => this.#endAsking(params["signInId"]);
      return this.askingDigits.refusalOf(digits, end) ?? end();
    }),

    this.#forGuardian("delete", "/auth/asking_devices/{signInId}", ({ params }) =>
      this.#endAsking(params["signInId"]),
    ),

    this.#forGuardian("post", "/auth/pairing", () => this.pairing.begin(this.stepUp.steppedUp)),

    this.#forGuardian("get", "/auth/pairing", () => this.pairing.state),

    this.#forGuardian("delete", "/auth/pairing", () => this.pairing.end()),

    this.#forGuardian("post", "/auth/pairing/confirmation", ({ body: { digits } }) =>
      this.pairing.confirm(digits),
    ),

    this.#on("post", "/auth/pairing/claim", ({ body: { token } }) => this.pairing.claim(token)),

    this.#on("post", "/auth/pairing/completion", () => {
      const refusal = this.pairing.refusalOfCompletion();
      if (refusal !== null) return refusal;
      this.#setCookie("parent@example.com");
      return this.#issue("parent@example.com");
    }),

    this.#on("post", "/auth/token", () => {
      if (this.signedInAs === null) return new HttpResponse(null, { status: 204 });
      if (!this.cookieHolds)
        return problem(401, "sign_in_again_required", "You have been signed out. Please sign in again.");
      return this.#issue(this.signedInAs);
    }),

    this.#on("post", "/auth/sign-out", ({ body }) => {
      if (body.recovery_codes === true) this.stepUp.codes = null;
      this.#setCookie(null);
      return new HttpResponse(null, { status: 204 });
    }),

    this.#on("get", "/auth/methods", () => ({
      email_link: this.sendsEmail,
      ...(this.setup.open && { set_up: false }),
      ...(this.providerName !== null && { oidc: { name: this.providerName } }),
    })),

    this.#forGuardian("get", "/auth/sign_ins", (_call, family) => ({ items: family.signIns })),

    this.#forGuardian("post", "/auth/sign_ins/seen", (_call, family) => {
      delete family.guardian.new_sign_ins;
      delete family.guardian.new_recovery_codes;
      this.stepUp.areNew = false;
      for (const signIn of family.signIns) delete signIn.is_new;
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("delete", "/auth/sign_ins/{signInId}", ({ params }, family) => {
      const index = family.signIns.findIndex(({ sign_in_id }) => sign_in_id === params["signInId"]);
      if (index === -1) return notFound();
      family.signIns.splice(index, 1);
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("get", "/children", (_call, family) =>
      family.childrenFail
        ? problem(
            family.childrenFail,
            "storage_unreadable",
            "The list of children can't be read right now. Please try again in a minute.",
          )
        : family.children,
    ),

    this.#forGuardian("get", "/child/{childId}/summary", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (
        (await misbehaviour(childId, family)) ?? HttpResponse.json(family.summaries.get(childId) ?? null)
      );
    }),

    this.#forGuardian("get", "/child/{childId}/metrics", async ({ params, query }, family) => {
      const childId = Number(params["childId"]);
      return (
        (await misbehaviour(childId, family)) ?? HttpResponse.json(answerMetrics(family, childId, query))
      );
    }),

    this.#forGuardian("get", "/child/{childId}/activities/completed", async ({ params, query }, family) => {
      const childId = Number(params["childId"]);
      const refusal = await misbehaviour(childId, family);
      if (refusal !== null) return refusal;
      const all = family.completed.get(childId) ?? [];
      const { items, end, unreadable } = readablePage(
        all,
        indexBehind(all, query.get("before")),
        500,
        family,
      );
      const answer = listed<"/child/{childId}/activities/completed">(items, unreadable);
      const last = items.at(-1);
      if (last !== undefined && end < all.length)
        answer.headers.set("Link", `<?before=${last.session_id}>; rel="next"`);
      return answer;
    }),

    this.#forGuardian("get", "/child/{childId}/activities/upcoming", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      const refusal = await misbehaviour(childId, family);
      if (refusal !== null) return refusal;
      const all = openProposals(family, childId);
      const { items, unreadable } = readablePage(all, 0, all.length, family);
      return listed<"/child/{childId}/activities/upcoming">(items, unreadable);
    }),

    this.#forGuardian(
      "put",
      "/child/{childId}/activities/upcoming/{activityId}/feedback",
      async ({ params, body }, family) => {
        const childId = Number(params["childId"]);
        const refusal = await misbehaviour(childId, family);
        return refusal ?? answerFeedback(family, childId, params["activityId"] ?? "", body);
      },
    ),

    this.#forGuardian(
      "delete",
      "/child/{childId}/activities/upcoming/{activityId}/feedback",
      ({ params }, family) => answerTakingBack(family, params["activityId"] ?? ""),
    ),

    this.#forGuardian("get", "/child/{childId}/blocked_topics", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerList(blockList(family, childId));
    }),

    this.#forGuardian("put", "/child/{childId}/blocked_topics", async ({ params, headers, body }, family) => {
      const childId = Number(params["childId"]);
      const list = blockList(family, childId);
      return (await misbehaviour(childId, family)) ?? answerReplacing(list, body, headers.get("If-Match"));
    }),

    ...subscriptionHandlers(this.#ofGuardian, this.stepUp),

    this.#forGuardian("get", "/child/{childId}/context", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerContext(contextIn(family, childId));
    }),

    this.#forGuardian("put", "/child/{childId}/context", async ({ params, headers, body }, family) => {
      const childId = Number(params["childId"]);
      const context = contextIn(family, childId);
      return (
        (await misbehaviour(childId, family)) ??
        answerReplacingContext(context, body.text, headers.get("If-Match"))
      );
    }),

    this.#forGuardian("get", "/child/{childId}/for_child", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      const edition = family.editions.get(childId);
      const { name } = family.guardian;
      return (
        (await misbehaviour(childId, family)) ?? {
          ...(edition !== undefined && { edition }),
          child_name: family.children.find((child) => child.child_id === childId)?.name ?? "",
          guardians: name === undefined ? [] : [name],
          nameless_guardians: name === undefined ? 1 : 0,
          reviewed: reviewerIn(family, childId).view.state === "on",
          ...(this.helpline !== null && { helpline: this.helpline }),
          assistants: ["Kitchen"],
          tested: [],
          ...ageOfPage(family, childId),
        }
      );
    }),

    this.#forGuardian("put", "/child/{childId}/for_child", ({ params, body }, family) => {
      family.editions.set(Number(params["childId"]), body.edition);
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("get", "/child/{childId}/curious", async ({ params }, family) => {
      const { on, questions } = family.curious;
      return (
        (await misbehaviour(Number(params["childId"]), family)) ?? { on, questions: on ? questions : [] }
      );
    }),

    this.#forGuardian("put", "/child/{childId}/curious/on", ({ body }, family) => {
      family.curious.on = body.on;
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("put", "/child/{childId}/curious/hidden", ({ body }, family) => {
      const { questions } = family.curious;
      family.curious.questions = questions.filter(({ message_id: id }) => id !== body.message_id);
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("get", "/child/{childId}/looks", async ({ params }, family) => {
      return (await misbehaviour(Number(params["childId"]), family)) ?? family.looks;
    }),

    ...reviewerHandlers(this.#ofGuardian, this.stepUp),

    ...triesHandlers(this.#ofGuardian, this.stepUp),

    ...attentionHandlers(this.#ofGuardian),

    ...alertsHandlers(this.#ofGuardian),

    this.#forGuardian("get", "/child/{childId}/events", async () => {
      if (!this.opensStreams) await delay("infinite");
      return this.#stream();
    }),

    this.#forGuardian("get", "/child/{childId}/rules", ({ params }, family) => {
      const { text, version } = contextIn(family, Number(params["childId"]));
      const { talk, secondsUsed } = rulesIn(family, Number(params["childId"]));
      const instructions = `You are talking with a child.\n\n${text}`;
      return { number: version, instructions, talk, seconds_used: secondsUsed };
    }),

    this.#forGuardian("get", "/child/{childId}/times", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerTimes(rulesIn(family, childId));
    }),

    this.#forGuardian("get", "/child/{childId}/talk_status", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (
        (await misbehaviour(childId, family)) ?? answerTalkStatus(family, rulesIn(family, childId), childId)
      );
    }),

    this.#forGuardian("get", "/children/talk_status", (_call, family) => answerChildTalk(family)),

    this.#forGuardian("put", "/child/{childId}/times", async ({ params, headers, body }, family) => {
      const childId = Number(params["childId"]);
      const rules = rulesIn(family, childId);
      return (
        (await misbehaviour(childId, family)) ?? answerReplacingTimes(rules, body, headers.get("If-Match"))
      );
    }),

    this.#forGuardian("get", "/child/{childId}/rules/receipts", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? rulesIn(family, childId).receipts;
    }),

    this.#forGuardian("get", "/child/{childId}/connections", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? this.household.connectionsOf(childId);
    }),

    this.#forGuardian("get", "/child/{childId}/history", async ({ params, query }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerHistory(rulesIn(family, childId), query);
    }),

    this.#forGuardian("get", "/sessions/{sessionId}/receipts", ({ params }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      if (session === undefined) return notFound();
      const said = rulesIn(family, session.child_id).sessionReceipts.get(session.session_id);
      return said ?? { assistant: "Kitchen", items: [] };
    }),

    this.#forGuardian("post", "/child/{childId}/search", async ({ params, body }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerSearch(family, childId, body);
    }),

    this.#forGuardian("get", "/sessions", async ({ query }, family) => {
      const childId = Number(query.get("child_id"));
      const refusal = await misbehaviour(childId, family);
      if (refusal !== null) return refusal;
      const all = family.sessions.filter((session) => session.child_id === childId);
      const { items, next, unreadable } = page(all, query.get("before"), query.get("limit"), family);
      return listed<"/sessions">({ sessions: items.map(sessionAlone), ...next }, unreadable);
    }),

    this.#forGuardian("get", "/sessions/{sessionId}", ({ params }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      return session === undefined ? notFound() : sessionAlone(session);
    }),

    this.#forGuardian("delete", "/sessions/{sessionId}", ({ params }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      if (session === undefined) return notFound();
      if (session.session_id === 503)
        return problem(503, "storage_unavailable", "This can't be deleted right now.");
      return answerErasing(family, session);
    }),

    this.#forGuardian("put", "/sessions/{sessionId}/not_child", ({ params, body }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      if (session === undefined) return notFound();
      if (session.session_id === 503)
        return problem(503, "storage_unavailable", "This can't be saved right now.");
      session.not_child = body.not_child;
      return new HttpResponse(null, { status: 204 });
    }),

    this.#forGuardian("put", "/sessions/{sessionId}/child", ({ params, body }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      if (session === undefined) return notFound();
      if (session.session_id === 503)
        return problem(422, "guardians_differ", "These children have different guardians.");
      return answerMoving(family, session, body.child_id) ?? notFound();
    }),

    this.#forGuardian("get", "/child/{childId}/deleted_sessions", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerDeleted(family, childId);
    }),

    this.#forGuardian("get", "/child/{childId}/deletions", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      const { deletions } = family;
      return (await misbehaviour(childId, family)) ?? { items: deletions };
    }),

    this.#forGuardian("post", "/child/{childId}/deleted_sessions/shown", ({ body }, family) =>
      answerShown(family, body),
    ),

    this.#forGuardian(
      "post",
      "/child/{childId}/deleted_sessions/{sessionId}/undelete",
      ({ params }, family) => {
        const taken = answerTaking(family, Number(params["sessionId"]), true);
        return taken ?? notFound();
      },
    ),

    this.#forGuardian("delete", "/child/{childId}/deleted_sessions/{sessionId}", ({ params }, family) => {
      if (!this.stepUp.steppedUp) return stepUpNeeded();
      const taken = answerTaking(family, Number(params["sessionId"]), false);
      return taken ?? notFound();
    }),

    this.#forGuardian("get", "/child/{childId}/export", async ({ params }, family) => {
      if (!this.stepUp.steppedUp) return stepUpNeeded();
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerExport(family, childId);
    }),

    this.#forGuardian("get", "/sessions/{sessionId}/messages", ({ params, query }, family) => {
      const session = family.sessions.find(({ session_id }) => String(session_id) === params["sessionId"]);
      if (session === undefined) return notFound();
      if (session.session_id === 503)
        return problem(503, "storage_unreadable", "This transcript can't be read right now.");
      const { messages } = session;
      const first = firstAround(messages, query);
      const { items, next, unreadable } = page(messages, first, query.get("limit"), family);
      const previous = !query.has("after") && first !== "0" && { previous: first };
      return listed<"/sessions/{sessionId}/messages">({ messages: items, ...next, ...previous }, unreadable);
    }),
  ];

  #asks(signInId: string | undefined): boolean {
    return this.asking.some(({ sign_in_id: id }) => id === signInId);
  }

  #endAsking(signInId: string | undefined): Response {
    this.asking = this.asking.filter(({ sign_in_id: id }) => id !== signInId);
    return new HttpResponse(null, { status: 204 });
  }

  #setCookie(email: string | null): void {
    this.signedInAs = email;
    this.onCookie(email);
  }

  #beginSetup(email: string): Schemas["IssuedIdentity"] {
    this.setup.guardian = email;
    this.stepUp.codes = null;
    this.stepUp.steppedUp = true;
    this.#setCookie(email);
    return this.#issue(email);
  }

  #issue(email: string): Schemas["IssuedIdentity"] {
    const { guardian } = this.family(email);
    return { identity_token: `token-of-${email}`, expires_in: 600, guardian };
  }

  #on<M extends Method, P extends PathWith<M> & string>(
    method: M,
    path: P,
    answer: (call: Call<P, M>) => Answered<P, M>,
  ): HttpHandler {
    const pattern = `/api${path.replaceAll(/\{(\w+)\}/gu, ":$1")}`;
    return http[method](pattern, async ({ request, params }) => {
      this.calls.set(path, (this.calls.get(path) ?? 0) + 1);
      if (this.outOfReach.has(path)) return HttpResponse.error();
      if (this.neverAnswered.has(path)) await delay("infinite");
      const text = await request.text();
      const answered = await answer({
        params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
        query: new URL(request.url).searchParams,
        headers: request.headers,
        body: trustContract<RequestBody<P, M>>(text === "" ? undefined : JSON.parse(text)),
      });
      const response = answered instanceof Response ? answered : Response.json(answered);
      await this.heldBack.get(path);
      return response;
    });
  }

  /** A handler that requires an identity token. It gets the data of the token's guardian. */
  #forGuardian<M extends Method, P extends PathWith<M> & string>(
    method: M,
    path: P,
    answer: (call: Call<P, M>, family: Family) => Answered<P, M>,
  ): HttpHandler {
    return this.#on<M, P>(method, path, (call) => {
      const email = /^Bearer token-of-(.+)$/u.exec(call.headers.get("Authorization") ?? "")?.[1];
      return email === undefined
        ? problem(401, "not_signed_in", "Please sign in.")
        : answer(call, this.family(email));
    });
  }
}

function invitationEnded(): Response {
  return problem(
    422,
    "invitation_invalid",
    "This invitation does not work any more. Please ask whoever invited you for a new one.",
  );
}

function setupLinkEnded(): Response {
  return problem(401, "setup_link_invalid", "This link does not work any more.");
}

/** A child's context; empty if there is none. */
function contextIn({ contexts }: Family, childId: number) {
  const known = contexts.get(childId) ?? contextOf();
  contexts.set(childId, known);
  return known;
}

/** A child's times, receipts and history; empty if there are none. */
function rulesIn({ rules }: Family, childId: number) {
  const known = rules.get(childId) ?? rulesOf();
  rules.set(childId, known);
  return known;
}

/** A child's blocked topics; empty if there are none. */
function blockList({ blockLists }: Family, childId: number) {
  const known = blockLists.get(childId) ?? blockListOf();
  blockLists.set(childId, known);
  return known;
}

function sessionAlone({ messages, ...session }: FakeSession): Schemas["Session"] {
  const said = messages.filter(({ kind }) => kind === undefined);
  const newest = said.at(-1)?.timestamp;
  const date = session.start_time ?? said[0]?.timestamp;
  const duration = (Date.parse(newest ?? "") - Date.parse(date ?? "")) / 1000;
  const firstWords = said.find(({ source }) => source === "child")?.text_content;
  return {
    ...session,
    ...(newest !== undefined && { last_message_time: newest }),
    ...(date !== undefined && { date }),
    ...(duration > 0 && { duration }),
    ...(session.topic === undefined && firstWords !== undefined && { first_words: firstWords }),
    message_count: said.length,
  };
}
