/** Debian's Firefox, over WebDriver BiDi. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type OtherBrowser, asJson, clickActions, keyActions, parseJson } from "./browser";

export const FIREFOX = "/usr/bin/firefox-esr";

/** The value at a path in a response. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
}

/** A WebDriver BiDi client. */
class BiDi {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  #next = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message: unknown = JSON.parse(String(data));
      const waiting = this.#waiting.get(Number(at(message, "id")));
      if (at(message, "type") === "success") waiting?.resolve(at(message, "result"));
      else if (at(message, "type") === "error") waiting?.reject(new Error(JSON.stringify(message)));
    });
  }

  static async connect(url: string): Promise<BiDi> {
    const socket = new WebSocket(url);
    await once(socket, "open");
    return new BiDi(socket);
  }

  async call(method: string, params: object): Promise<unknown> {
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#socket.send(JSON.stringify({ id, method, params }));
    try {
      return await promise;
    } finally {
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

export async function startFirefox(): Promise<OtherBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "porchlight-firefox-"));
  const browser = spawn(
    FIREFOX,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, MOZ_DISABLE_CONTENT_SANDBOX: "1", HOME: profile },
    },
  );
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  let printed = "";
  browser.stderr.on("data", (part: Buffer) => {
    printed += part.toString();
    const url = /WebDriver BiDi listening on (ws:\/\/\S+)/u.exec(printed)?.[1];
    if (url !== undefined) resolve(url);
  });
  browser.once("error", reject);
  browser.once("exit", () => reject(new Error(`Firefox ended: ${printed}`)));
  const bidi = await BiDi.connect(`${await listening}/session`);
  await bidi.call("session.new", { capabilities: {} });
  return {
    openTab: async () => {
      const userContext = at(await bidi.call("browser.createUserContext", {}), "userContext");
      const context = at(await bidi.call("browsingContext.create", { type: "tab", userContext }), "context");
      // A hidden page opens no event stream.
      await bidi.call("browsingContext.activate", { context });
      const act = async (actions: object) =>
        bidi.call("input.performActions", { context, actions: [actions] });
      return {
        goto: async (url) =>
          void (await bidi.call("browsingContext.navigate", { context, url, wait: "complete" })),
        evaluate: async (expression) => {
          const answer = await bidi.call("script.evaluate", {
            expression: asJson(expression),
            target: { context },
            awaitPromise: true,
          });
          return parseJson(at(answer, "result", "value") ?? JSON.stringify({ failed: answer }));
        },
        clickAt: async (x, y) =>
          void (await act({ type: "pointer", id: "mouse", actions: clickActions(x, y) })),
        type: async (text) => void (await act({ type: "key", id: "keys", actions: keyActions(text) })),
        close: async () => void (await bidi.call("browser.removeUserContext", { userContext })),
      };
    },
    stop: async () => {
      bidi.close();
      const ended = once(browser, "exit");
      browser.kill("SIGTERM");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
