import { afterEach, expect, test, vi } from "vitest";

import { zonesWith } from "./zones";
import { viewersZone } from "../format/dates";

afterEach(() => vi.restoreAllMocks());

test("a browser's unknown time zone is neither offered nor chosen", () => {
  vi.spyOn(Intl, "supportedValuesOf").mockReturnValue(["Europe/Berlin", "Etc/Unknown"]);
  const resolved = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({
    ...resolved,
    timeZone: "Etc/Unknown",
  });

  expect(zonesWith("Etc/Unknown")).toEqual(["Europe/Berlin"]);
  expect(zonesWith("UTC")).toEqual(["Europe/Berlin", "UTC"]);
  expect(viewersZone()).toBe("UTC");
});
