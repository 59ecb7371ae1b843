import type { BrowserContext, Request, Response } from "@playwright/test";

/** The fields of a body that are private. Ids, times and names of sessions aren't. */
const PRIVATE_FIELDS = new Set([
  "access_token",
  "code",
  "email",
  "id_token",
  "identity_token",
  "key",
  "link",
  "name",
  "nonce",
  "reason",
  "state",
  "summary",
  "text_content",
  "token",
  "topic",
  "words",
]);

/** How many texts of one list are noted: if the thousandth message is logged, the first is, too. */
const MOST_AT_ONCE = 100;

/** A text as short as "Mia" is searched as a whole word. */
const SHORTEST = 3;

/** Our secrets by their prefixes, and tokens in JSON. */
const SECRETS = /\b(?:lnk|rfr|ast|oid)_[\w-]{43}|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+/gu;

/**
 * Collects the private texts that the tests send (addresses, names, topics, messages, reasons, credentials) and the servers'
 * logs, and finds the texts in the logs.
 */
export class Canaries {
  readonly #told = new Set<string>();
  #printed = "";

  /** Notes a text that must not be printed. */
  note(text: unknown): void;
  /** Notes the private fields of a body. */
  note(body: unknown): void {
    if (typeof body === "string") this.#noteText(body);
    else for (const text of privateTexts(body).slice(0, MOST_AT_ONCE)) this.#noteText(text);
  }

  /** Notes the secrets in a text. */
  noteSecretsIn(text: string): void {
    for (const [secret] of text.matchAll(SECRETS)) this.#noteText(secret);
  }

  /** Notes what a browser sends, and the cookies that it gets. */
  watch(context: BrowserContext): void {
    context.on("request", (request) => this.#noteRequest(request));
    context.on("response", (response) => {
      if (response.url().includes("/api/auth/")) void this.#noteCookie(response);
    });
  }

  /** Adds to a server's log. */
  hear(printed: string): void {
    this.#printed += printed;
  }

  /** What was logged since the last call. */
  get heard(): string {
    return this.#printed;
  }

  /** The private texts in the log since the last call, each with its line. */
  leaks(): string[] {
    const printed = this.#printed;
    this.#printed = "";
    return [...this.#told].flatMap((text) =>
      shapesOf(text)
        .map((shape) => lineWith(printed, shape))
        .filter((line) => line !== null)
        .map((line) => `${text} in: ${line}`),
    );
  }

  #noteText(text: string): void {
    const piece = longestPlainPiece(text);
    if (piece.length >= SHORTEST) this.#told.add(piece);
  }

  async #noteCookie(response: Response): Promise<void> {
    // The page may be closed before the response was read.
    const cookies = await response.headerValue("set-cookie").catch(() => null);
    this.noteSecretsIn(cookies ?? "");
  }

  #noteRequest(request: Request): void {
    this.noteSecretsIn(request.headers()["authorization"] ?? "");
    this.note(Object.fromEntries(new URL(request.url()).searchParams));
    const body = request.postData();
    if (body === null) return;
    try {
      this.note(JSON.parse(body));
    } catch {
      this.#noteText(body);
    }
  }
}

/** Those of this worker. */
export const canaries = new Canaries();

/** The texts in a body's private fields, and those of its lists. */
function privateTexts(body: unknown): string[] {
  if (Array.isArray(body))
    return body.flatMap((item) => (typeof item === "string" ? [item] : privateTexts(item)));
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([field, value]: [string, unknown]) => {
    if (typeof value !== "string") return privateTexts(value);
    return PRIVATE_FIELDS.has(field) ? [value] : [];
  });
}

/** The part of a text that looks the same however it is logged: without quotes, line ends and other escaped characters. */
function longestPlainPiece(text: string): string {
  const pieces = text.trim().split(/[^ !#-&(-;=?-[\]-~]+/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** A text as it is, percent-encoded, and as Rust prints bytes. */
function shapesOf(text: string): string[] {
  return [...new Set([text, encodeURIComponent(text), [...Buffer.from(text)].join(", ")])];
}

/** The line that contains a text as a whole word. */
function lineWith(printed: string, text: string): string | null {
  for (let at = printed.indexOf(text); at !== -1; at = printed.indexOf(text, at + 1)) {
    const [before, after] = [printed[at - 1] ?? " ", printed[at + text.length] ?? " "];
    if (/\w/u.test(before) || /\w/u.test(after)) continue;
    const end = printed.indexOf("\n", at);
    return printed.slice(printed.lastIndexOf("\n", at) + 1, end === -1 ? undefined : end);
  }
  return null;
}
