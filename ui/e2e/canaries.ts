import type { BrowserContext, Request, Response } from "@playwright/test";

/** The private fields of a body. Ids, times and names of sessions are not private. */
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

/** Lists of the contract's own words, which a log may contain. */
const PUBLIC_LISTS = new Set(["kinds"]);

/** The number of texts recorded per list: if the thousandth message is logged, so is the first. */
const MOST_AT_ONCE = 100;

/** Shorter texts are ignored. Texts are matched as whole words. */
const SHORTEST = 3;

/** Our secrets by their prefixes, and tokens in JSON. */
const SECRETS = /\b(?:lnk|rfr|ast|oid)_[\w-]{43}|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+/gu;

/**
 * Collects the private texts that the tests send (addresses, names, topics, messages, reasons, credentials) and the servers'
 * logs, and finds the texts in the logs.
 */
class Canaries {
  readonly #texts = new Set<string>();
  #printed = "";

  /** Records a text that must not be logged. */
  note(text: unknown): void;
  /** Records the private fields of a body. */
  note(body: unknown): void {
    if (typeof body === "string") this.#noteText(body);
    else for (const text of privateTexts(body).slice(0, MOST_AT_ONCE)) this.#noteText(text);
  }

  noteSecretsIn(text: string): void {
    for (const [secret] of text.matchAll(SECRETS)) this.#noteText(secret);
  }

  /** Records the bodies that a browser sends, and the cookies that it receives. */
  watch(context: BrowserContext): void {
    context.on("request", (request) => this.#noteRequest(request));
    context.on("response", (response) => {
      if (response.url().includes("/api/auth/")) void this.#noteCookie(response);
    });
  }

  /** Adds server output. */
  capture(printed: string): void {
    this.#printed += printed;
  }

  /** The output since the last call of `leaks`. */
  get captured(): string {
    return this.#printed;
  }

  /** The private texts in the output since the last call, each with its line. */
  leaks(): string[] {
    const printed = this.#printed;
    this.#printed = "";
    return [...this.#texts].flatMap((text) =>
      shapesOf(text)
        .map((shape) => lineWith(printed, shape))
        .filter((line) => line !== null)
        .map((line) => `${text} in: ${line}`),
    );
  }

  #noteText(text: string): void {
    const piece = longestPlainPiece(text);
    if (piece.length >= SHORTEST) this.#texts.add(piece);
  }

  async #noteCookie(response: Response): Promise<void> {
    // The page may be closed before the response is read.
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

/** Shared by all tests of this worker. */
export const canaries = new Canaries();

/** The texts in a body's private fields, including nested ones. */
function privateTexts(body: unknown): string[] {
  if (Array.isArray(body))
    return body.flatMap((item) => (typeof item === "string" ? [item] : privateTexts(item)));
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([field, value]: [string, unknown]) => {
    if (PUBLIC_LISTS.has(field)) return [];
    if (typeof value !== "string") return privateTexts(value);
    return PRIVATE_FIELDS.has(field) ? [value] : [];
  });
}

/** The longest part of a text that no log format escapes: without quotes, line breaks and other special characters. */
function longestPlainPiece(text: string): string {
  const pieces = text.trim().split(/[^ !#-&(-;=?-[\]-~]+/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** A text verbatim, percent-encoded, and as Rust prints bytes. */
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
