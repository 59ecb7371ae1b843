import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

import { canaries } from "./canaries";

/** How long to wait for an e-mail. */
const DEADLINE_MS = 60_000;

/** A real SMTP server on loopback that keeps the e-mails for tests. */
export class PostOffice {
  readonly #emails: Email[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, _session, done) => {
      void (async () => {
        const parts: Buffer[] = [];
        try {
          for await (const part of stream) parts.push(Buffer.from(part));
        } catch {
          // The server that was sending it has been stopped.
          return;
        }
        const mail = await PostalMime.parse(Buffer.concat(parts));
        canaries.noteSecretsIn(mail.text ?? "");
        this.#emails.push(mail);
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

  /** The e-mails that have arrived for an address. */
  emailsTo(address: string): Email[] {
    return this.#emails.filter(({ to }) => to?.some((recipient) => recipient.address === address));
  }

  /** Waits for the next e-mail to an address and removes it. */
  async emailTo(address: string): Promise<Email> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const mail = this.emailsTo(address)[0];
      if (mail !== undefined) {
        this.#emails.splice(this.#emails.indexOf(mail), 1);
        return mail;
      }
      if (Date.now() > deadline) throw new Error(`No email to ${address} came within ${DEADLINE_MS} ms.`);
      await this.#nextEmail(deadline);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #nextEmail(deadline: number): Promise<void> {
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

/** The sign-in link in an e-mail. */
export function linkIn(mail: Email): string {
  const link = /https?:\/\/\S+\/finish-sign-in#token=[\w-]+/u.exec(mail.text ?? "")?.[0];
  if (link === undefined) throw new Error(`The email carries no link:\n${mail.text}`);
  return link;
}
