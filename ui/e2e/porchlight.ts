import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { canaries } from "./canaries";

const binary = resolve(
  process.env["PORCHLIGHT_BIN"] ?? join(import.meta.dirname, "../../target/debug/porchlight"),
);

/** A debug build on a busy machine takes its time. */
const START_MS = 30_000;

/** The real binary, running on a free port with a data folder of its own. */
export class Porchlight {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #data: string;

  private constructor(url: string, process: ChildProcess, data: string) {
    this.url = url;
    this.#process = process;
    this.#data = data;
  }

  /** Starts the binary with letters going to `smtp`, without limits because many parents sign in from one address here. */
  static async start(
    smtp: string,
    { limits = "off", options = [] }: { limits?: "on" | "off"; options?: readonly string[] } = {},
  ): Promise<Porchlight> {
    const data = await mkdtemp(join(tmpdir(), "porchlight-e2e-"));
    const server = spawn(
      binary,
      [
        "--data",
        data,
        "serve",
        "--limits",
        limits,
        "--listen",
        "127.0.0.1:0",
        "--smtp",
        smtp,
        "--mail-from",
        "porchlight@example.com",
        ...options,
      ],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, PORCHLIGHT_LOG: "trace", NO_COLOR: "1" },
      },
    );
    server.stdout.on("data", (part: Buffer) => canaries.hear(part.toString()));
    server.stderr.on("data", (part: Buffer) => canaries.hear(part.toString()));
    return new Porchlight(await addressOf(server), server, data);
  }

  /** Runs an administrator's command beside the server and answers what it prints as JSON. */
  async command(...args: string[]): Promise<unknown> {
    const stdout = await this.#run(...args, "--json");
    const printed: unknown = stdout === "" ? null : JSON.parse(stdout);
    canaries.note(printed);
    return printed;
  }

  /** Runs an administrator's command beside the server and answers what it prints for people. */
  async print(...args: string[]): Promise<string> {
    return this.#run(...args);
  }

  /** What a command prints for whoever typed it is theirs to see; the server prints none of it. */
  async #run(...args: string[]): Promise<string> {
    const told = args.filter((argument) => argument.includes("@") || /^\p{Lu}/u.test(argument));
    for (const text of told) canaries.note(text);
    const { stdout, stderr } = await promisify(execFile)(binary, ["--data", this.#data, ...args]);
    canaries.noteSecretsIn(stdout);
    canaries.hear(stderr);
    return stdout.trim();
  }

  /** Ends the server; stopping twice is no mistake. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolveEnd) => this.#process.once("exit", resolveEnd));
    this.#process.kill("SIGTERM");
    await ended;
    await rm(this.#data, { recursive: true, force: true });
  }
}

/** Reads what the server prints until it says where it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolveAddress, reject) => {
    let printed = "";
    const fail = (why: string) => reject(new Error(`${binary} ${why}\n${printed}`));
    const timer = setTimeout(() => fail(`did not say where it listens within ${START_MS} ms:`), START_MS);
    const read = (part: Buffer) => {
      printed += part.toString();
      const address = /https?:\/\/127\.0\.0\.1:\d+/u.exec(printed)?.[0];
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
