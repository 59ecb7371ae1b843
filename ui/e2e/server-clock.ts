import { globSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** libfaketime in Debian's folder (`apt-get install faketime`, or `make tools`); undefined where it is missing. */
export const clockLibrary = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0];

/** The clock of a server that runs with `env`. A test can advance it. */
export class ServerClock {
  readonly #folder: string;
  #aheadSeconds = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ServerClock> {
    const clock = new ServerClock(await mkdtemp(join(tmpdir(), "porchlight-clock-")));
    await clock.advance(0);
    return clock;
  }

  /** The server's environment variables. The monotonic clock stays real, or timers would stop. */
  get env(): Record<string, string> {
    return {
      ...(clockLibrary !== undefined && { LD_PRELOAD: clockLibrary }),
      FAKETIME_TIMESTAMP_FILE: join(this.#folder, "clock"),
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    };
  }

  async advance(seconds: number): Promise<void> {
    this.#aheadSeconds += seconds;
    // Renamed atomically, because the server may read the file at any time.
    const beside = join(this.#folder, "clock.new");
    await writeFile(beside, `+${this.#aheadSeconds}`);
    await rename(beside, join(this.#folder, "clock"));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
