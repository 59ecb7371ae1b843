import { test as base } from "./fixtures";
import { Porchlight } from "./porchlight";
import { ServerClock } from "./server-clock";

interface ClockFixture {
  clock: ServerClock;
  /** Further options of the server. */
  serveOptions: string[];
}

/** Tests with a server whose clock they can advance. */
export const test = base.extend<object, ClockFixture>({
  serveOptions: [[], { option: true, scope: "worker" }],

  clock: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const clock = await ServerClock.create();
      await use(clock);
      await clock.remove();
    },
    { scope: "worker" },
  ],

  porchlight: [
    async ({ postOffice, clock, serveOptions }, use) => {
      const porchlight = await Porchlight.start(await postOffice.open(), {
        env: clock.env,
        options: serveOptions,
      });
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],
});
