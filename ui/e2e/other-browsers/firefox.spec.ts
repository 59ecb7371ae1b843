import { existsSync } from "node:fs";

import { test } from "@playwright/test";

import { FIREFOX, startFirefox } from "./firefox";
import { describeJourneys } from "./journeys";

test.describe("Firefox", () => {
  test.skip(!existsSync(FIREFOX), "Firefox is missing. Run: apt-get install firefox-esr");
  describeJourneys(startFirefox);
});
