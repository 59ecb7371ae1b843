import { HttpResponse } from "msw";

import { stepUpNeeded } from "./fake-backend-step-up";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** The household, as the server has it. */
export class FakeHousehold {
  guardiansManage = true;
  assistants: Schemas["OwnAssistant"][] = [
    {
      assistant_id: "asi_kitchen",
      name: "Kitchen",
      added_at: "2026-11-20T17:00:00Z",
      children: [1],
      theirs_alone: true,
    },
    {
      assistant_id: "asi_shared",
      name: "Grandma's",
      added_at: "2026-11-21T17:00:00Z",
      children: [1, 2],
      theirs_alone: false,
    },
  ];
  /** The other guardians of the child 1. */
  others: Schemas["Author"][] = [];
  #keys = 0;

  view(): Schemas["Household"] {
    return {
      guardians_manage: this.guardiansManage,
      server: "http://192.168.1.20:8080",
      children: [
        { child_id: 1, guardians: [{ is_you: true }, ...this.others] },
        { child_id: 2, guardians: [{ is_you: true }] },
      ],
      assistants: this.assistants,
      plugins: [
        {
          stack: "pipecat",
          title: "Pipecat",
          steps: ["Leave the file there.", "Set the key.", "Start the bot."],
        },
      ],
    };
  }

  connect(
    { name, children }: Schemas["ConnectRequest"],
    steppedUp: boolean,
  ): Schemas["ConnectedAssistant"] | Response {
    if (!steppedUp) return stepUpNeeded();
    if (this.assistants.some((other) => other.name === name)) {
      return problem(409, `An assistant named “${name}” exists already.`);
    }
    const added_at = "2026-11-22T17:00:00Z";
    const assistant = { assistant_id: `asi_${name}`, name, added_at, children, theirs_alone: true };
    this.assistants = [...this.assistants, assistant];
    return { assistant, key: this.#key() };
  }

  rotate(id: string | undefined, steppedUp: boolean): Schemas["ConnectedAssistant"] | Response {
    if (!steppedUp) return stepUpNeeded();
    const assistant = this.#find(id);
    return assistant === undefined ? notThere() : { assistant, key: this.#key() };
  }

  rename(id: string | undefined, name: string): Schemas["OwnAssistant"] | Response {
    const assistant = this.#find(id);
    if (assistant === undefined) return notThere();
    const renamed = { ...assistant, name };
    this.assistants = this.assistants.map((other) => (other === assistant ? renamed : other));
    return renamed;
  }

  revoke(id: string | undefined): Response {
    const assistant = this.#find(id);
    if (assistant === undefined) return notThere();
    this.assistants = this.assistants.filter((other) => other !== assistant);
    return new HttpResponse(null, { status: 204 });
  }

  takeOff(id: string | undefined, childId: number): Response {
    this.assistants = this.assistants.map((other) =>
      other.assistant_id === id
        ? { ...other, children: other.children.filter((child) => child !== childId) }
        : other,
    );
    return new HttpResponse(null, { status: 204 });
  }

  #find(id: string | undefined) {
    return this.assistants.find(({ assistant_id: other }) => other === id);
  }

  #key(): string {
    this.#keys += 1;
    return `ast_key-number-${this.#keys}`;
  }
}

function problem(status: number, detail: string): Response {
  return HttpResponse.json({ detail } satisfies Schemas["Problem"], { status });
}

function notThere(): Response {
  return problem(404, "There is nothing here.");
}
