import { i18n } from "@lingui/core";
import { expect, test } from "vitest";

import { birthMonths } from "./birth-month";
import {
  activityDate,
  clockTime,
  dayOfYear,
  hourName,
  sessionDate,
  shortDate,
  shortDateAndTime,
  timeIn,
  weekdayAndDay,
  weekdayName,
  zoneName,
} from "./dates";
import { dayRange, monthAndDay, shortDay } from "./days";
import { joinNames, oneOfNames } from "./names";
import { countConversations } from "./retention";

const NOW = new Date(2026, 10, 27, 12);
const evening = new Date(2026, 10, 19, 18, 12).toISOString();

function openIn(language: string, variant: string): void {
  i18n.loadAndActivate({ locale: language, locales: variant, messages: {} });
}

test("dates, times, numbers and lists are in the page's language", () => {
  openIn("de", "de-DE");

  expect(activityDate("2026-11-21T00:00:00Z")).toBe("21. Nov. 2026");
  expect(sessionDate(evening)).toBe("19.11.2026");
  expect(shortDate(evening, NOW)).toBe("19. Nov.");
  expect(shortDateAndTime(evening, NOW)).toBe("19. Nov., 18:12");
  expect(clockTime("20:30")).toBe("20:30");
  expect(hourName(16)).toBe("16 Uhr");
  expect([weekdayName(0), weekdayName(6, "short")]).toEqual(["Montag", "So"]);
  expect([weekdayAndDay("2026-11-23"), dayOfYear("2026-11-23")]).toEqual(["Mo., 23. Nov.", "23. Nov."]);
  expect(timeIn("Europe/Berlin", "2026-11-23T23:00:00Z", NOW)).toBe("Di., 24. Nov., 0:00");
  expect(zoneName("Europe/Berlin")).toBe("Mitteleuropäische Zeit");
  expect(zoneName("Etc/UTC")).toBe("UTC");
  expect(monthAndDay("2026-12-10", NOW)).toBe("10. Dezember");
  expect(shortDay("2026-12-10", NOW)).toBe("10. Dez.");
  expect(dayRange("2026-11-01", "2026-11-09", NOW)).toBe("1.–9. Nov.");
  expect(birthMonths()[2]?.name).toBe("März");
  expect(joinNames(["Mia", "Noah", "Tom"])).toBe("Mia, Noah und Tom");
  expect(oneOfNames(["Mia", "Noah", "Tom"])).toBe("Mia, Noah oder Tom");
  expect(countConversations(1200)).toBe("1.200 conversations");
});

test("in English, activities keep their form, and other dates have the device's variant", () => {
  openIn("en", "en-GB");

  expect(activityDate("2026-11-21T00:00:00Z")).toBe("Nov 21, 2026");
  expect(sessionDate(evening)).toBe("19/11/2026");
  expect(shortDate(evening, NOW)).toBe("19 Nov");
  expect(hourName(16)).toBe("16:00");
});
