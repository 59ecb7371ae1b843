import { HttpResponse } from "msw";

import { stepUpNeeded } from "./fake-backend-step-up";
import { notFound, problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** The token of every invitation's link. */
export const INVITATION_TOKEN = `ivt_${"I".repeat(43)}`;

/** The server's state of the household. */
export class FakeHousehold {
  guardiansManage = true;
  assistants: Schemas["OwnAssistant"][] = [
    {
      assistant_id: "asi_kitchen",
      name: "Kitchen",
      created_at: "2026-11-20T17:00:00Z",
      children: [1],
      exclusive: true,
      kind: "plug_in",
    },
    {
      assistant_id: "asi_shared",
      name: "Grandma's",
      created_at: "2026-11-21T17:00:00Z",
      children: [1, 2],
      exclusive: false,
      kind: "plug_in",
    },
  ];
  /** What is known of how assistants are connected, by their ids. */
  connections: Record<string, Partial<Schemas["Connection"]>> = {};
  /** The other guardians of child 1. */
  others: Schemas["Author"][] = [];
  asked: Schemas["ChildRequest"][] = [];
  readers: Schemas["ReviewerRequest"][] = [];
  invitations: Schemas["Invitation"][] = [];
  /** The requests that the app reported as shown. */
  readonly shown: Schemas["ShownRequests"][] = [];
  /** The time of the last successful scheduled backup. */
  lastBackupAt: string | undefined = undefined;
  acceptedAt: string | undefined = undefined;
  /** The models' servers that the administrator added. */
  upstreams: Schemas["Upstream"][] = [];
  #keys = 0;
  #editions = 0;

  requests(): Schemas["Requests"] {
    return {
      requests: this.asked,
      reviewers: this.readers,
      invitations: this.invitations,
    };
  }

  noteShown(shown: Schemas["ShownRequests"]): Response {
    this.shown.push(shown);
    const at = "2036-11-29T17:00:00Z";
    const noted = <T extends { answers: Schemas["Answers"] }>(each: T): T => ({
      ...each,
      answers: { ...each.answers, shown: true, due_at: at },
    });
    this.asked = this.asked.map(noted);
    this.invitations = this.invitations.map(noted);
    return done();
  }

  askToDelete(childId: number, typed: string, name: string, steppedUp: boolean): Response {
    if (!steppedUp) return stepUpNeeded();
    if (typed !== name)
      return problem(422, "other_child_name", "The child has another name, so nothing was deleted.");
    const answers = { shown: true, confirmed: false, due_at: "2036-11-29T17:00:00Z" };
    this.ask({ child_id: childId, kind: "deletion", names: [name], answers });
    return done();
  }

  /** Adds a request of the guardian, in place of an earlier one of this kind. */
  ask(
    asked: Pick<Schemas["ChildRequest"], "child_id" | "kind"> & Partial<Schemas["ChildRequest"]>,
  ): Schemas["ChildRequest"] {
    const request = {
      edition: `edn_${this.#editions++}`,
      by: { is_you: true },
      requested_at: "2026-11-22T17:00:00Z",
      conversations: 0,
      names: [],
      answers: { shown: true, confirmed: false },
      ...asked,
    };
    this.stopRequest(asked.child_id, asked.kind);
    this.asked = [...this.asked, request];
    return request;
  }

  confirmRequest(
    childId: number,
    kind: string | undefined,
    edition: string | null,
    steppedUp: boolean,
  ): Response {
    if (!steppedUp) return stepUpNeeded();
    const found = this.asked.find((each) => each.child_id === childId && each.kind === kind);
    if (found === undefined) return notFound();
    if (edition !== `"${found.edition}"`) return requestChanged();
    this.asked = this.asked.map((each) =>
      each === found ? { ...each, answers: { ...each.answers, confirmed: true } } : each,
    );
    return done();
  }

  stopRequest(childId: number, kind: string | undefined): Response {
    this.asked = this.asked.filter((each) => each.child_id !== childId || each.kind !== kind);
    return done();
  }

  invite(
    { children, email }: Schemas["InviteRequest"],
    steppedUp: boolean,
  ): Schemas["CreatedInvitation"] | Response {
    if (!steppedUp) return stepUpNeeded();
    const invitation = {
      invitation_id: `inv_${this.invitations.length}`,
      edition: `edn_${this.#editions++}`,
      by: { is_you: true },
      children,
      ...(email !== undefined && { email }),
      created_at: "2026-11-22T17:00:00Z",
      accepted: false,
      answers: { shown: true, confirmed: false },
    };
    this.invitations = [...this.invitations, invitation];
    if (email !== undefined) return {};
    const link = `http://192.168.1.20:8080/invitation#token=${INVITATION_TOKEN}`;
    return { shown: { link, qr_code: ["101", "010", "101"] } };
  }

  confirmInvitation(id: string | undefined, edition: string | null, steppedUp: boolean): Response {
    if (!steppedUp) return stepUpNeeded();
    const found = this.invitations.find(({ invitation_id: other }) => other === id);
    if (edition !== `"${found?.edition}"`) return requestChanged();
    return this.stopInvitation(id);
  }

  stopInvitation(id: string | undefined): Response {
    this.invitations = this.invitations.filter(({ invitation_id: other }) => other !== id);
    return done();
  }

  keepKey(id: string | undefined): Response {
    this.assistants = this.assistants.map((each) => {
      const { key_exposed: _, ...kept } = each;
      return each.assistant_id === id ? kept : each;
    });
    return done();
  }

  connectionsOf(childId: number): Schemas["Page_Connection"] {
    const ofChild = this.assistants.filter(({ children }) => children.includes(childId));
    return {
      items: ofChild.map(({ assistant_id: id }) => ({
        assistant_id: id,
        follows_rules: false,
        seen: [],
        ...this.connections[id],
      })),
    };
  }

  view(): Schemas["Household"] {
    return {
      guardians_manage: this.guardiansManage,
      server: "http://192.168.1.20:8080",
      children: [
        { child_id: 1, guardians: [{ is_you: true }, ...this.others] },
        { child_id: 2, guardians: [{ is_you: true }] },
      ],
      assistants: this.assistants,
      ...(this.lastBackupAt !== undefined && { last_backup_at: this.lastBackupAt }),
      ...(this.acceptedAt !== undefined && { accepted_invitation_at: this.acceptedAt }),
      ...(this.upstreams.length > 0 && { gateway: "http://192.168.1.20:8080/gateway/v1" }),
      upstreams: this.upstreams,
      plugins: [
        {
          stack: "home-assistant",
          title: "Home Assistant (2026.2 and later)",
          steps: [
            "Put the folder into custom_components, and start Home Assistant again.",
            "Add Porchlight: give it the key.",
            "Choose it as the conversation agent.",
          ],
        },
        {
          stack: "pipecat",
          title: "Pipecat (1.6 and later, before 2)",
          steps: [
            "Leave the file there.",
            "Set PORCHLIGHT_KEY to the key.",
            "Add one line: `watch(session)`",
          ],
        },
        {
          stack: "xiaozhi",
          title: "xiaozhi-esp32-server (0.9)",
          steps: [
            "Put the file into plugins_func/functions.",
            "Set the environment variables PORCHLIGHT_KEY, to the key, and PORCHLIGHT_FOLDER.",
            "Start xiaozhi-server again.",
          ],
        },
      ],
    };
  }

  connect(
    { name, children, upstream }: Schemas["ConnectRequest"],
    steppedUp: boolean,
  ): Schemas["ConnectedAssistant"] | Response {
    if (!steppedUp) return stepUpNeeded();
    if (this.assistants.some((other) => other.name === name)) {
      return problem(409, "assistant_exists", `An assistant named “${name}” exists already.`, {
        args: { name },
      });
    }
    if (upstream !== undefined && !this.#isThere(upstream)) return upstreamChanged();
    const created_at = "2026-11-22T17:00:00Z";
    const suffixes = children.map((id) => ({ child_id: id, suffix: id === 1 ? "@Mia" : "@Noah" }));
    const own = upstream && { upstream: { ...upstream, ...(children.length > 1 && { suffixes }) } };
    const kind = upstream === undefined ? "plug_in" : "gateway";
    const assistant: Schemas["OwnAssistant"] = {
      assistant_id: `asi_${name}`,
      name,
      created_at,
      children,
      exclusive: true,
      kind,
      ...own,
    };
    this.assistants = [...this.assistants, assistant];
    return { assistant, key: this.#key() };
  }

  rotate(id: string | undefined, steppedUp: boolean): Schemas["ConnectedAssistant"] | Response {
    if (!steppedUp) return stepUpNeeded();
    const assistant = this.#find(id);
    return assistant === undefined ? notFound() : { assistant, key: this.#key() };
  }

  rename(id: string | undefined, name: string): Schemas["OwnAssistant"] | Response {
    const assistant = this.#find(id);
    if (assistant === undefined) return notFound();
    const renamed = { ...assistant, name };
    this.assistants = this.assistants.map((other) => (other === assistant ? renamed : other));
    return renamed;
  }

  chooseUpstream(
    id: string | undefined,
    { upstream }: Schemas["ChooseUpstreamRequest"],
    steppedUp: boolean,
  ): Schemas["OwnAssistant"] | Response {
    if (!steppedUp) return stepUpNeeded();
    const assistant = this.#find(id);
    if (assistant === undefined) return notFound();
    if (upstream !== undefined && !this.#isThere(upstream)) return upstreamChanged();
    const { upstream: _, ...without } = assistant;
    const changed = { ...without, ...(upstream && { upstream }) };
    this.assistants = this.assistants.map((other) => (other === assistant ? changed : other));
    return changed;
  }

  revoke(id: string | undefined): Response {
    const assistant = this.#find(id);
    if (assistant === undefined) return notFound();
    this.assistants = this.assistants.filter((other) => other !== assistant);
    return done();
  }

  takeOff(id: string | undefined, childId: number): Response {
    this.assistants = this.assistants.map((other) =>
      other.assistant_id === id
        ? { ...other, children: other.children.filter((child) => child !== childId) }
        : other,
    );
    return done();
  }

  #find(id: string | undefined) {
    return this.assistants.find(({ assistant_id: other }) => other === id);
  }

  #isThere({ name, host }: Schemas["UpstreamChoice"]): boolean {
    return this.upstreams.some((each) => each.name === name && each.host === host);
  }

  #key(): string {
    this.#keys += 1;
    return `ast_key-number-${this.#keys}`;
  }
}

function done(): Response {
  return new HttpResponse(null, { status: 204 });
}

function requestChanged(): Response {
  return problem(412, "request_changed", "This request has changed since you read it. Please read it again.");
}

function upstreamChanged(): Response {
  return problem(
    409,
    "upstream_changed",
    "This model's server was removed, or has another address by now, so nothing was changed.",
  );
}
