import { test as base } from "./fixtures";
import { Porchlight } from "./porchlight";
import { ServerClock } from "./server-clock";

/**
 * Tests with a server whose clock they can advance. Each call makes a server of its own: what one file does to the clock must not
 * reach another.
 */
export function testWithClock() {
  return base.extend<object, { clock: ServerClock }>({
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
      async ({ postOffice, clock }, use) => {
        const porchlight = await Porchlight.start(await postOffice.open(), { env: clock.env });
        await use(porchlight);
        await porchlight.stop();
      },
      { scope: "worker" },
    ],
  });
}
