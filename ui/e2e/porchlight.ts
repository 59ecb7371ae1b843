import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { canaries } from "./canaries";

const binary = resolve(
  process.env["PORCHLIGHT_BIN"] ?? join(import.meta.dirname, "../../target/debug/porchlight"),
);

/** A debug build on a busy machine starts slowly. */
const START_MS = 120_000;

interface StartOptions {
  limits?: "on" | "off";
  options?: readonly string[];
  /** The address that the server prints, and puts into e-mails; by default the one on which it listens. */
  publicUrl?: string;
  env?: Readonly<Record<string, string>>;
}

/** The real binary, running on a free port with its own data folder. */
export class Porchlight {
  readonly url: string;
  #process: ChildProcess;
  /** Starts a process that listens on this address. */
  readonly #spawn: (listen: string) => ChildProcess;
  /** The data folder. */
  readonly data: string;

  private constructor(
    url: string,
    process: ChildProcess,
    spawnAt: (listen: string) => ChildProcess,
    data: string,
  ) {
    this.url = url;
    this.#process = process;
    this.#spawn = spawnAt;
    this.data = data;
  }

  /** Starts the binary with this mail server, and without rate limits, because all tests sign in from one address. */
  static async start(
    smtp: string,
    { limits = "off", options = [], publicUrl, env = {} }: StartOptions = {},
  ): Promise<Porchlight> {
    const data = await mkdtemp(join(tmpdir(), "porchlight-e2e-"));
    const spawnAt = (listen: string) => {
      const server = spawn(
        binary,
        [
          "--data",
          data,
          "serve",
          "--limits",
          limits,
          "--listen",
          listen,
          "--smtp",
          smtp,
          "--mail-from",
          "porchlight@example.com",
          ...options,
          ...(publicUrl === undefined ? [] : ["--public-url", publicUrl]),
        ],
        {
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, PORCHLIGHT_LOG: "trace", NO_COLOR: "1", ...env },
        },
      );
      server.stdout.on("data", (part: Buffer) => canaries.capture(part.toString()));
      server.stderr.on("data", (part: Buffer) => canaries.capture(part.toString()));
      return server;
    };
    if (publicUrl === undefined) {
      const server = spawnAt("127.0.0.1:0");
      return new Porchlight(await addressOf(server), server, spawnAt, data);
    }
    const listen = `127.0.0.1:${await freePort()}`;
    const server = spawnAt(listen);
    await addressOf(server, publicUrl);
    return new Porchlight(`http://${listen}`, server, spawnAt, data);
  }

  /** Kills the server, as a power cut would, and starts it again at the same address. */
  async killAndStart(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
    this.#process = this.#spawn(new URL(this.url).host);
    await addressOf(this.#process);
  }

  /** Runs a command while the server runs, and returns its JSON output. */
  async command(...args: string[]): Promise<unknown> {
    const stdout = await this.#run(...args, "--json");
    const printed: unknown = stdout === "" ? null : JSON.parse(stdout);
    canaries.note(printed);
    return printed;
  }

  /** Runs a command while the server runs, and returns its text output. */
  async print(...args: string[]): Promise<string> {
    return this.#run(...args);
  }

  /** Runs a command. Its output may contain its arguments and secrets, but not the server's log. */
  async #run(...args: string[]): Promise<string> {
    const privateArgs = args.filter((argument) => argument.includes("@") || /^\p{Lu}/u.test(argument));
    for (const text of privateArgs) canaries.note(text);
    const { stdout, stderr } = await promisify(execFile)(binary, ["--data", this.data, ...args]);
    canaries.noteSecretsIn(stdout);
    canaries.capture(stderr);
    return stdout.trim();
  }

  /** Stops the server. May be called twice. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await ended;
    await rm(this.data, { recursive: true, force: true });
  }
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

/** Reads the server's output until it prints its address: this one, or one on this machine. */
function addressOf(server: ChildProcess, publicUrl?: string): Promise<string> {
  return new Promise((resolveAddress, reject) => {
    let printed = "";
    const fail = (why: string) => reject(new Error(`${binary} ${why}\n${printed}`));
    const timer = setTimeout(() => fail(`did not print its address within ${START_MS} ms:`), START_MS);
    const read = (part: Buffer) => {
      printed += part.toString();
      const own = /https?:\/\/127\.0\.0\.1:\d+/u.exec(printed)?.[0];
      const address = publicUrl === undefined || printed.includes(publicUrl) ? (publicUrl ?? own) : undefined;
      if (address === undefined) return;
      clearTimeout(timer);
      resolveAddress(address);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("error", (error) => fail(`could not be started: ${error.message}`));
    server.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}:`);
    });
  });
}
