import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a page of the second version has in its head. */
const SECOND = '<meta name="version" content="second">';

/**
 * A proxy before the server: the server can be away, and the app can become another version, whose files all have other names. The
 * first version's are gone then, as after an update of the server.
 */
export class WorkerGate {
  readonly url: string;
  isSecond = false;
  /** Whether nothing is answered. */
  isAway = false;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  #upstream: string | undefined;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<WorkerGate> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const gate = new WorkerGate(server, (server.address() as AddressInfo).port);
    server.on("request", (asked, answer) => void gate.#forward(asked, answer));
    return gate;
  }

  /** Forwards to this server, whose public URL is the gate's. */
  leadTo(url: string): void {
    this.#upstream = url;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? "/";
    this.asked.push(path);
    if (this.isAway || this.#upstream === undefined) {
      answer.destroy();
      return;
    }
    if (this.isSecond && /^\/assets\/.*\.js$/u.test(path) && !path.endsWith(".second.js")) {
      answer.writeHead(404).end();
      return;
    }
    const isText = path.endsWith(".js") || (asked.headers.accept ?? "").includes("text/html") || path === "/";
    const headers = { ...asked.headers };
    const isChanged = this.isSecond && isText && !path.startsWith("/api/");
    if (isChanged) {
      delete headers["accept-encoding"];
      delete headers["if-none-match"];
    }
    const target = new URL(path.replace(".second.js", ".js"), this.#upstream);
    const forwarded = request(target, { method: asked.method, headers }, (response) => {
      void this.#answer(path, response, answer, isChanged).catch(() => answer.destroy());
    });
    forwarded.on("error", () => answer.destroy());
    asked.pipe(forwarded);
  }

  async #answer(path: string, response: IncomingMessage, answer: ServerResponse, isChanged: boolean) {
    if (!isChanged) {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(Buffer.from(part));
    const text = Buffer.concat(parts).toString();
    const { "content-length": _length, etag: _etag, ...headers } = response.headers;
    answer.writeHead(response.statusCode ?? 502, headers);
    answer.end(path === "/worker.js" ? await this.#secondWorker(text) : second(text));
  }

  async #secondWorker(text: string): Promise<string> {
    const page = await fetch(new URL("/", this.#upstream), { headers: { host: new URL(this.url).host } });
    const hash = createHash("sha256")
      .update(second(await page.text()))
      .digest("hex");
    return second(text)
      .replace(/"version":"[^"]*"/u, '"version":"second"')
      .replace(/"page":"[^"]*"/u, `"page":"${hash}"`);
  }
}

/** A text of the app as the second version has it. */
function second(text: string): string {
  return text.replace("<head>", `<head>${SECOND}`).replace(/(-[\w-]{8})\.js\b/gu, "$1.second.js");
}
