import { i18n } from "@lingui/core";
import { expect, test } from "vitest";

import { deviceName } from "./devices";

test("a device is named in the page's language", () => {
  const names = ["Safari on a Mac or an iPad", "Firefox on Android", "A browser on Linux", "Edge", undefined];
  const shown = () => names.map((device) => deviceName({ device }));
  i18n.loadAndActivate({ locale: "en", messages: {} });
  expect(shown()).toEqual([...names.slice(0, 4), "An unknown device"]);

  i18n.loadAndActivate({ locale: "de", messages: {} });
  expect(shown()).toEqual([
    "Safari (Mac oder iPad)",
    "Firefox (Android)",
    "Linux",
    "Edge",
    "An unknown device",
  ]);
});
