import { expect } from "@playwright/test";

import type { components, paths } from "../src/api/generated/schema";

type Door =
  | "/assistant/sessions/{name}"
  | "/assistant/sessions/{name}/messages"
  | "/assistant/sessions/{name}/completion";
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : never;

export type NewMessage = BodyOf<paths["/assistant/sessions/{name}/messages"]["post"]>[number];
export type Problem = components["schemas"]["Problem"];

/** A voice assistant, as the server knows it: by its key, through its door. */
export class Assistant {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Opens a session, or corrects it. */
  async open(name: string, session: BodyOf<paths["/assistant/sessions/{name}"]["put"]>): Promise<void> {
    await this.#call("PUT", "/assistant/sessions/{name}", name, session);
  }

  async deliver(name: string, messages: readonly NewMessage[]): Promise<void> {
    await this.#call("POST", "/assistant/sessions/{name}/messages", name, messages);
  }

  async complete(
    name: string,
    completion: BodyOf<paths["/assistant/sessions/{name}/completion"]["put"]>,
  ): Promise<void> {
    await this.#call("PUT", "/assistant/sessions/{name}/completion", name, completion);
  }

  async #call(method: "PUT" | "POST", door: Door, name: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.#url}/api${door.replace("{name}", encodeURIComponent(name))}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok, `${method} ${door}: ${response.status} ${await response.text()}`).toBe(true);
  }
}
