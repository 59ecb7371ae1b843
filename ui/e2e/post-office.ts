import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

import { canaries } from "./canaries";

/** How long to wait for a letter. */
const DEADLINE_MS = 60_000;

/** A real SMTP server on loopback that keeps the letters for tests. */
export class PostOffice {
  readonly #letters: Email[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, _session, done) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(Buffer.from(part));
        const letter = await PostalMime.parse(Buffer.concat(parts));
        canaries.noteSecretsIn(letter.text ?? "");
        this.#letters.push(letter);
        for (const wake of this.#waiting) wake();
        done();
      })();
    },
  });

  /** Listens on a free port; its URL for `--smtp`. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.#server.server.address();
    if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
    return `smtp://127.0.0.1:${address.port}`;
  }

  /** The letters that have arrived for an address. */
  lettersTo(address: string): Email[] {
    return this.#letters.filter(({ to }) => to?.some((recipient) => recipient.address === address));
  }

  /** Waits for the next letter to an address and removes it. */
  async letterTo(address: string): Promise<Email> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const letter = this.lettersTo(address)[0];
      if (letter !== undefined) {
        this.#letters.splice(this.#letters.indexOf(letter), 1);
        return letter;
      }
      if (Date.now() > deadline) throw new Error(`No letter to ${address} came within ${DEADLINE_MS} ms.`);
      await this.#nextLetter(deadline);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #nextLetter(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, deadline - Date.now() + 1);
      this.#waiting.add(wake);
    });
  }
}

/** The sign-in link in a letter. */
export function linkIn(letter: Email): string {
  const link = /https?:\/\/\S+\/finish-sign-in#token=[\w-]+/u.exec(letter.text ?? "")?.[0];
  if (link === undefined) throw new Error(`The letter carries no link:\n${letter.text}`);
  return link;
}
