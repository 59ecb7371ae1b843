import { expect } from "@playwright/test";

import { canaries } from "./canaries";
import { trustContract } from "../src/api/trust-contract";
import type { components } from "../src/api/generated/schema";

type Door =
  | "/assistant/deliveries"
  | "/assistant/child/{childId}/activities/upcoming"
  | "/assistant/child/{childId}/report";

/** Reports that a session runs under a version of the rules. */
interface Receipt {
  version: string;
  at?: string;
  evidence: "fetched" | "set" | "in_prompt";
  refused?: string;
}

type Delivery = Omit<components["schemas"]["Delivery"], "session"> & { rules?: Receipt[] };

export type NewMessage = NonNullable<Delivery["messages"]>[number];
export type Problem = components["schemas"]["Problem"];

/** A client of the assistant's API. */
export class Assistant {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    canaries.note(key);
  }

  /** Opens or updates a session. Returns its id. */
  async open(name: string, session: Delivery): Promise<number> {
    const answered = await this.#call("POST", "/assistant/deliveries", "", { ...session, session: name });
    const answer = trustContract<components["schemas"]["DeliveryAnswer"]>(JSON.parse(answered));
    expect({ rejected: answer.rejected, unknown: answer.unknown }).toEqual({ rejected: [], unknown: [] });
    if (answer.session_id === undefined) throw new Error(`the session ${name} was erased`);
    return answer.session_id;
  }

  async deliver(name: string, messages: NewMessage[]): Promise<void> {
    await this.open(name, { messages });
  }

  async complete(name: string, completion: NonNullable<Delivery["completion"]>): Promise<void> {
    await this.open(name, { completion });
  }

  /** Delivers a session with this topic and name, and one message of the child. Returns its id. */
  async deliverMessage(
    childId: number,
    topic: string,
    text: string,
    timestamp = "2026-11-20T18:00:00Z",
  ): Promise<number> {
    const session = await this.open(topic, { child_id: childId, topic });
    await this.deliver(topic, [{ message_id: "1", source: "child", text_content: text, timestamp }]);
    return session;
  }

  /** Replaces the upcoming activities of a child. */
  async propose(childId: number, activities: components["schemas"]["UpcomingActivity"][]): Promise<void> {
    await this.#call("PUT", "/assistant/child/{childId}/activities/upcoming", String(childId), activities);
  }

  /** Replaces the assistant's report on a child. */
  async report(childId: number, report: Record<string, unknown>): Promise<void> {
    await this.#call("PUT", "/assistant/child/{childId}/report", String(childId), report);
  }

  /** Reads the guardians' feedback, oldest first. */
  async feedback(childId: number): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/assistant/child/${childId}/feedback`, {
      headers: { Authorization: `Bearer ${this.#key}` },
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  async blockedTopics(childId: number): Promise<components["schemas"]["AssistantBlockedTopics"]> {
    const response = await fetch(`${this.#url}/api/assistant/child/${childId}/blocked_topics`, {
      headers: { Authorization: `Bearer ${this.#key}` },
    });
    expect(response.status).toBe(200);
    return trustContract(await response.json());
  }

  async rules(childId: number): Promise<components["schemas"]["AssistantRules"]> {
    const response = await fetch(`${this.#url}/api/assistant/child/${childId}/rules`, {
      headers: { Authorization: `Bearer ${this.#key}` },
    });
    expect(response.status).toBe(200);
    return trustContract(await response.json());
  }

  async #call(method: "PUT" | "POST", door: Door, name: string, body: unknown): Promise<string> {
    canaries.note(body);
    const path = door.replace(/\{\w+\}/u, encodeURIComponent(name));
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answered = await response.text();
    expect(response.ok, `${method} ${door}: ${response.status} ${answered}`).toBe(true);
    return answered;
  }
}
