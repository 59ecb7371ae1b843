import { expect, test } from "vitest";

import { isAddress, isThisComputer } from "./hosts";

test.each([
  ["localhost", false, true],
  ["127.0.0.1", true, true],
  ["127.1.2.3", true, true],
  ["[::1]", true, true],
  ["192.168.1.20", true, false],
  ["[fd00::1]", true, false],
  ["porchlight.local", false, false],
  ["127.example.org", false, false],
])("%s is an address: %s, and this computer: %s", (host, address, here) => {
  expect([isAddress(host), isThisComputer(host)]).toEqual([address, here]);
});
