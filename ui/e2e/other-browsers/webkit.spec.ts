import { test } from "@playwright/test";

import { describeJourneys } from "./journeys";
import { hasWebkit, startWebkit } from "./webkit";

test.describe("WebKit", () => {
  test.skip(!hasWebkit, "WebKit is missing. Run: apt-get install webkit2gtk-driver xvfb");
  describeJourneys(startWebkit);
});
