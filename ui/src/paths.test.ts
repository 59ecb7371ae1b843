import { expect, test } from "vitest";

import { childIdIn, idIn, pathForChild, paths } from "./paths";

test("every address is a function", () => {
  expect({
    index: paths.index(),
    login: paths.login(),
    finishSignIn: paths.finishSignIn(),
    child: paths.child(7),
    summary: paths.section(7, "summary"),
    activities: paths.activities(7, "upcoming"),
    transcripts: paths.transcripts(7),
    transcript: paths.transcripts(7, 12),
  }).toMatchInlineSnapshot(`
    {
      "activities": "/child/7/activities/upcoming",
      "child": "/child/7",
      "finishSignIn": "/finish-sign-in",
      "index": "/",
      "login": "/login",
      "summary": "/child/7/summary",
      "transcript": "/child/7/transcripts?session=12",
      "transcripts": "/child/7/transcripts",
    }
  `);
});

test.each([
  ["/child/1/summary", "/child/2/summary"],
  ["/child/1/activities/upcoming", "/child/2/activities/upcoming"],
  ["/child/no-number/topic-blocklist", "/child/2/topic-blocklist"],
  ["/child/1", "/child/2"],
  ["/", "/child/2/summary"],
  ["/nowhere", "/child/2/summary"],
  ["/children/1/summary", "/child/2/summary"],
])("choosing child 2 on %s leads to %s", (from, to) => {
  expect(pathForChild(from, 2)).toBe(to);
});

test.each([
  ["/child/1/summary", "1"],
  ["/child/1?session=2", "1"],
  ["/child/", null],
  ["/", null],
])("%s names the child %s", (path, childId) => {
  expect(childIdIn(path)).toBe(childId);
});

test.each([
  ["7", 7],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", null],
  ["0", null],
  ["-7", null],
  ["07", null],
  ["7.0", null],
  ["7e1", null],
  [" 7", null],
  ["seven", null],
  ["", null],
  [null, null],
  [undefined, null],
])("%j is the id %j", (text, id) => {
  expect(idIn(text)).toBe(id);
});
