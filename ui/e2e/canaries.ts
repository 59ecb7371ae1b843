import type { BrowserContext, Request, Response } from "@playwright/test";

/** Where a body carries what is nobody else's business. Numbers, times and names of sessions are not among it. */
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
]);

/** Enough of what one test brings in bulk: what is logged of the first message is logged of the thousandth. */
const MOST_AT_ONCE = 100;

/** A word as short as "Mia" counts when it stands alone. */
const SHORTEST = 3;

/** What begins as our own secrets do, or as a token in JSON. */
const SECRETS = /\b(?:lnk|rfr|ast|oid)_[\w-]{43}|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+/gu;

/**
 * What the tests told Porchlight in confidence, and what its servers printed meanwhile. Nothing of the former may be found
 * in the latter: addresses, names, topics, what was said, reasons, and whatever signs somebody in.
 */
export class Canaries {
  readonly #told = new Set<string>();
  #printed = "";

  /** Notes a text that must not be printed. */
  note(text: unknown): void;
  /** Notes what a body carries. */
  note(body: unknown): void {
    if (typeof body === "string") this.#noteText(body);
    else for (const text of privateTexts(body).slice(0, MOST_AT_ONCE)) this.#noteText(text);
  }

  /** Notes the secrets that stand in a text. */
  noteSecretsIn(text: string): void {
    for (const [secret] of text.matchAll(SECRETS)) this.#noteText(secret);
  }

  /** Notes what a browser sends, and the cookies that it is given. */
  watch(context: BrowserContext): void {
    context.on("request", (request) => this.#noteRequest(request));
    context.on("response", (response) => {
      if (response.url().includes("/api/auth/")) void this.#noteCookie(response);
    });
  }

  /** Keeps what a server prints. */
  hear(printed: string): void {
    this.#printed += printed;
  }

  /** What was printed since the last time. */
  get heard(): string {
    return this.#printed;
  }

  /** What was told and is found in what was printed since the last time; with the line that tells it. */
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
    // Whoever leaves at once takes the answer along.
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

/** What this worker's tests told, and its servers printed. */
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

/** What stays the same however a log writes it: without quotes, line ends and whatever else is escaped. */
function longestPlainPiece(text: string): string {
  const pieces = text.trim().split(/[^ !#-&(-;=?-[\]-~]+/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** A text as it is, as it stands in an address, and as Rust prints its bytes. */
function shapesOf(text: string): string[] {
  return [...new Set([text, encodeURIComponent(text), [...Buffer.from(text)].join(", ")])];
}

/** The line in which a text stands by itself, and not within a longer word. */
function lineWith(printed: string, text: string): string | null {
  for (let at = printed.indexOf(text); at !== -1; at = printed.indexOf(text, at + 1)) {
    const [before, after] = [printed[at - 1] ?? " ", printed[at + text.length] ?? " "];
    if (/\w/u.test(before) || /\w/u.test(after)) continue;
    const end = printed.indexOf("\n", at);
    return printed.slice(printed.lastIndexOf("\n", at) + 1, end === -1 ? undefined : end);
  }
  return null;
}
