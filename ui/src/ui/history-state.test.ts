import { expect, test } from "vitest";

import { historyState } from "./history-state";

const nothing = {
  from: null,
  keepFocus: false,
  openedFromList: false,
  alert: null,
  message: null,
  ranges: [],
  atEnd: false,
  triedAgain: false,
  link: null,
};

test.each([
  [null, nothing],
  ["tried again", nothing],
  [{ keepFocus: "yes", triedAgain: 1 }, nothing],
  [
    { keepFocus: true, openedFromList: true },
    { ...nothing, keepFocus: true, openedFromList: true },
  ],
  [
    { from: "/child/1/summary", triedAgain: true },
    { ...nothing, from: "/child/1/summary", triedAgain: true },
  ],
  [{ message: "m-1" }, { ...nothing, message: "m-1" }],
  [{ message: 7 }, nothing],
  [{ ranges: [[0, 4], [-1, 2], [1], "0,4", [0, "4"]] }, { ...nothing, ranges: [[0, 4]] }],
  [{ ranges: "0,4" }, nothing],
  [{ alert: 7 }, { ...nothing, alert: 7 }],
  [{ alert: "7" }, nothing],
  [{ link: "#token=lnk" }, { ...nothing, link: "#token=lnk" }],
  [{ atEnd: true }, { ...nothing, atEnd: true }],
  [{ atEnd: "yes" }, nothing],
  [{ link: "/login" }, nothing],
  [{ from: "https://example.com/" }, nothing],
  [{ from: 7 }, nothing],
])("%j is read as %j", (written, read) => {
  expect(historyState(written)).toEqual(read);
});
