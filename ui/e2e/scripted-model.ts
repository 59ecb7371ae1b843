import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";

import type { Porchlight } from "./porchlight";

/** What the model points at, in each message with these words. */
export interface Script {
  words: string;
  concern: string;
  severity: "look" | "urgent";
}

interface Said {
  id: string;
  text: string;
}

/** What the bundled conversations of `porchlight reviewer test` have in them. */
interface Case {
  concern: string | null;
  messages: { text: string }[];
  /** The places of the messages that are to be found. */
  passages: number[];
}

const CASES = new URL("../../src/alerts/reviewer/cases.json", import.meta.url);

/** So that the model passes its test: one that doesn't can't be switched on. */
function scriptOfTheTest(): Script[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  const cases = JSON.parse(readFileSync(CASES, "utf8")) as Case[];
  return cases.flatMap(({ concern, messages, passages }) =>
    passages.flatMap((place) => {
      const words = messages[place]?.text;
      return concern === null || words === undefined ? [] : [{ words, concern, severity: "look" as const }];
    }),
  );
}

/**
 * A server with a model for the reviewer, which knows the OpenAI API and follows a script. Its address is this machine's own,
 * but none of a home network, so every guardian has to agree.
 */
export class ScriptedModel {
  readonly #server: Server;
  readonly #script: readonly Script[];
  readonly #answersOfTheTest: readonly Script[];
  readonly #tested = new WeakSet<Porchlight>();
  constructor(...script: readonly Script[]) {
    this.#script = script;
    this.#answersOfTheTest = scriptOfTheTest();
    this.#server = createServer((request, response) => void this.#respond(request, response));
    // It ends with the tests.
    this.#server.unref();
  }

  get host(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The model's server has no port.");
    return `0.0.0.0:${address.port}`;
  }

  /** Starts it. Returns Porchlight's options for it. */
  async open(): Promise<string[]> {
    if (!this.#server.listening) await once(this.#server.listen(0, "0.0.0.0"), "listening");
    return ["--reviewer-model", "reader", "--reviewer-url", `http://${this.host}/v1`];
  }

  /** Lets the administrator measure it, once for each server. */
  async test(porchlight: Porchlight): Promise<void> {
    if (this.#tested.has(porchlight)) return;
    await porchlight.print("reviewer", "test");
    this.#tested.add(porchlight);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(this.#answer(body)));
  }

  #answer(body: string): unknown {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Porchlight sends to a model
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data in it
    const { conversation } = JSON.parse(messages[1]?.content ?? "{}") as { conversation: Said[] };
    const findings = conversation.flatMap(({ id, text }) => {
      const found = [
        ...this.#script.filter(({ words }) => text.includes(words)),
        ...this.#answersOfTheTest.filter(({ words }) => text === words),
      ];
      return found.map(({ words, concern, severity }) => ({
        concern,
        message_id: id,
        quote: words,
        severity,
      }));
    });
    const content = JSON.stringify({ findings });
    return { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const part of request) body += String(part);
  return body;
}
