import { type KeyObject, generateKeyPairSync, randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";

import { Provider, type Configuration } from "oidc-provider";

import { canaries } from "./canaries";
import type { ConsoleGuard } from "./fixtures";

/** The name on the button. */
export const PROVIDER_NAME = "Hearth ID";

/** The claims of an account. Its subject is the name to type when signing in. */
interface Account {
  email: string;
  email_verified: boolean;
}

/** How the provider misbehaves on purpose. */
type Misbehaviour =
  /** Its ID tokens have another flow's nonce. */
  | "wrong nonce"
  /** Each code has already been redeemed. */
  | "spent code"
  /** It doesn't respond when a code is redeemed. */
  | "down for codes";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A real OpenID Connect provider on loopback, the certified `oidc-provider`, with its own pages. It is cross-site to
 * Porchlight (`localhost`, not `127.0.0.1`), so cookies behave as on a redirect from a real provider.
 */
export class IdentityProvider {
  readonly clientSecret = randomUUID();
  misbehaviour: Misbehaviour | null = null;
  readonly #accounts = new Map<string, Account>();
  #server: Server | null = null;
  #port = 0;
  #redirect = "";
  /** Signs tokens and serves requests. */
  #signer: Handler | null = null;
  /** Serves the key set: the signer itself, unless its key is unpublished. */
  #publisher: Handler | null = null;

  get issuer(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Porchlight's command-line options for this provider. */
  get options(): string[] {
    const client = ["--oidc-client-id", "porchlight", "--oidc-client-secret", this.clientSecret];
    return ["--oidc-issuer", this.issuer, "--oidc-name", PROVIDER_NAME, ...client];
  }

  /** Allows the console messages of the provider's pages. */
  announce(consoleGuard: ConsoleGuard): void {
    consoleGuard.expect(new RegExp(`request to another origin: ${this.issuer}/`, "u"));
    // The provider's style sheet loads a font, which is blocked.
    consoleGuard.expect(/https:\/\/fonts\.googleapis\.com\//u);
    consoleGuard.expect(/Input elements should have autocomplete attributes/u);
  }

  /** Reserves a port, so that the address is known before `start`. */
  async reserve(): Promise<void> {
    await this.#listen();
    await this.stop();
  }

  /** Starts it for a Porchlight server at this address. */
  async start(porchlight: string): Promise<void> {
    this.#redirect = `${porchlight}/api/auth/oidc/callback`;
    canaries.note(this.clientSecret);
    this.changeKey({ published: true });
    await this.#listen();
  }

  /** Stops it without waiting for requests in progress. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Adds an account. Returns the name to type at the provider. */
  addAccount(account: Account): string {
    const subject = `subject-${randomUUID()}`;
    this.changeAccount(subject, account);
    return subject;
  }

  changeAccount(subject: string, account: Account): void {
    canaries.note(subject);
    this.#accounts.set(subject, account);
  }

  /** Signs with a new key from now on, published or not. */
  changeKey({ published }: { published: boolean }): void {
    this.#signer = this.#withKey(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
    if (published) this.#publisher = this.#signer;
  }

  #withKey(key: KeyObject): Handler {
    const configuration: Configuration = {
      clients: [
        {
          client_id: "porchlight",
          client_secret: this.clientSecret,
          redirect_uris: [this.#redirect],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      cookies: { keys: [randomUUID()] },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_context, subject) => {
        const account = this.#accounts.get(subject);
        return account && { accountId: subject, claims: () => ({ sub: subject, ...account }) };
      },
      jwks: { keys: [{ ...key.export({ format: "jwk" }), kty: "RSA", kid: randomUUID(), use: "sig" }] },
    };
    const provider = quietly(() => new Provider(this.issuer, configuration));
    provider.on("grant.success", ({ body }) => canaries.note(body));
    return provider.callback();
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => {
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The provider has no port.");
    this.#port = address.port;
    this.#server = server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.issuer);
    if (pathname === "/token" && this.misbehaviour === "down for codes") {
      request.socket.destroy();
      return;
    }
    if (pathname === "/token" && this.misbehaviour === "spent code") {
      await this.#redeemTwice(request, response);
      return;
    }
    if (pathname === "/auth" && this.misbehaviour === "wrong nonce") {
      searchParams.set("nonce", randomUUID());
      request.url = `${pathname}?${searchParams.toString()}`;
    }
    // The pages work without resources from the internet.
    response.setHeader("content-security-policy", "style-src 'unsafe-inline'; img-src 'none'");
    await (pathname === "/jwks" ? this.#publisher : this.#signer)?.(request, response);
  }

  /** Redeems a code twice, and returns the second response. */
  async #redeemTwice(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.misbehaviour = null;
    const body = Buffer.concat(await request.toArray());
    const headers = {
      authorization: request.headers.authorization ?? "",
      "content-type": request.headers["content-type"] ?? "",
    };
    const redeem = () => fetch(`${this.issuer}/token`, { method: "POST", headers, body });
    await redeem();
    const second = await redeem();
    response.writeHead(second.status, { "content-type": "application/json" });
    response.end(await second.text());
  }
}

/** Suppresses the warning that its storage and pages are for development only. */
function quietly<T>(make: () => T): T {
  const { warn } = console;
  console.warn = () => {};
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}
