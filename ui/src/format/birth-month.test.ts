import { expect, test } from "vitest";

import { ageOn, birthMonths, birthYears, NO_MONTH, readMonth, typedMonth } from "./birth-month";

/** A day of 2026, at noon of the device. */
const day = (month: number, date: number) => new Date(2026, month - 1, date, 12);

test.each([
  [NO_MONTH, { kind: "none" }],
  [
    { month: "05", year: "2018" },
    { kind: "month", born: "2018-05" },
  ],
  [
    { month: "11", year: "2026" },
    { kind: "month", born: "2026-11" },
  ],
  [
    { month: "12", year: "2026" },
    { kind: "refused", sentence: "The month of birth can't be in the future." },
  ],
  [
    { month: "11", year: "2001" },
    { kind: "month", born: "2001-11" },
  ],
  [
    { month: "10", year: "2001" },
    { kind: "refused", sentence: "The month of birth can be at most 25 years ago." },
  ],
  [
    { month: "05", year: "" },
    { kind: "refused", sentence: "Please choose the month and the year." },
  ],
  [
    { month: "", year: "2018" },
    { kind: "refused", sentence: "Please choose the month and the year." },
  ],
])("%o is read as %o on November 29", (typed, expected) => {
  expect(readMonth(typed, day(11, 29))).toEqual(expected);
});

test.each([
  ["2018-05", day(4, 30), 7],
  ["2018-05", day(5, 1), 8],
  ["2018-05", day(12, 31), 8],
  ["2018-01", day(1, 1), 8],
  ["2016-02", day(1, 31), 9],
  ["2016-02", day(2, 1), 10],
  ["2026-05", day(5, 1), 0],
])("a child born in %s is on %s %i years old", (born, today, age) => {
  expect(ageOn(born, today)).toBe(age);
});

test("a month is read from two parts and back", () => {
  expect(readMonth(typedMonth("2018-05"), day(11, 29))).toEqual({ kind: "month", born: "2018-05" });
  expect(typedMonth(undefined)).toEqual(NO_MONTH);
});

test("the last 25 years can be chosen, and the one that is stored", () => {
  expect(birthYears(day(11, 29), "")).toHaveLength(26);
  expect([birthYears(day(11, 29), "2018")[0], birthYears(day(11, 29), "2018").at(-1)]).toEqual([
    "2026",
    "2001",
  ]);
  expect(birthYears(day(11, 29), "1999").at(-1)).toBe("1999");
  expect(birthMonths().map(({ value, name }) => `${value} ${name}`)).toContain("05 May");
});
