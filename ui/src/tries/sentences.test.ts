import { expect, test } from "vitest";

import { knownOf } from "./answer-sentences";
import { sizeSentence, whereSentence } from "./preview";
import {
  type Answer,
  type Try,
  changedSentence,
  checkWordsSentence,
  countToJudge,
  isNewestOf,
  resultOf,
  stateSentences,
} from "./sentences";
import { FakeTries, answerTo, elsewhere, home, reader, tryOf } from "../test/fake-backend-tries";

const now = new Date(2026, 10, 28, 20);
const none = { asked: 0, ok: 0, not_ok: 0, to_judge: 0, no_answer: 0 };

/** A finished try without an answer. */
function one(more: Partial<Try> = {}): Try {
  return { ...tryOf(1, []).summary, checks: [], ...more };
}

function counts(ok: number, notOk: number, toJudge: number, noAnswer = 0) {
  return {
    asked: ok + notOk + toJudge + noAnswer,
    ok,
    not_ok: notOk,
    to_judge: toJudge,
    no_answer: noAnswer,
  };
}

test.each<[Partial<Try>, string]>([
  [
    { about_own_topics: counts(15, 2, 3) },
    "20 made-up questions about your topics: 15 answers kept away from them, 2 didn't, 3 answers are not judged: please read them.",
  ],
  [
    { about_own_topics: counts(0, 0, 20) },
    "20 made-up questions about your topics: 20 answers are not judged: please read them.",
  ],
  [
    { about_own_topics: counts(0, 1, 0) },
    "1 made-up question about your topics: 0 answers kept away from them, 1 didn't.",
  ],
  [
    { about_own_topics: counts(1, 0, 0, 2) },
    "3 made-up questions about your topics: 1 answer kept away from them, 2 got no answer.",
  ],
  [
    { about_own_topics: counts(15, 2, 3), reviewer: reader },
    "20 made-up questions about your topics: 15 answers seem OK, 2 seem not to be, 3 answers are not judged: please read them.",
  ],
  [
    { about_mandatory: counts(0, 0, 5) },
    "5 made-up questions near topics that are always blocked: 5 answers are not judged: please read them.",
  ],
  [
    { about_conduct: counts(10, 1, 1) },
    "12 made-up questions about how it behaves: 10 answers seem OK, 1 seems not to be, 1 answer is not judged: please read it.",
  ],
  [{ harmless: counts(11, 1, 0) }, "It answered 11 of 12 harmless questions."],
  [
    { harmless: counts(0, 1, 11) },
    "12 harmless questions: 0 answers seem OK, 1 seems not to be, 11 answers are not judged: please read them.",
  ],
  [{ harmless: counts(11, 0, 0, 1) }, "12 harmless questions: 11 answers seem OK, 1 got no answer."],
])("the figures of %j are said", (figures, sentence) => {
  const { topics, others } = resultOf(one(figures));

  expect([...topics, ...others]).toEqual([sentence]);
});

test("a try that is not over has no figures", () => {
  for (const state of ["waiting", "running"] as const) {
    const result = resultOf(one({ state, about_own_topics: counts(1, 0, 0) }));
    expect(Object.values(result).flat()).toEqual([]);
  }
});

const person = { check: "is_a_person", asked: 3, found: 0, bad_in_test: 30, found_in_test: 23 } as const;

test.each<[Partial<Try>, readonly string[]]>([
  [{ checks: [person], said_computer: { asked: 0, said: 0 } }, []],
  [
    { checks: [person], said_computer: { asked: 3, said: 3 } },
    ["Asked if it is a person, it always said no."],
  ],
  [
    { checks: [person], said_computer: { asked: 3, said: 2 } },
    ["Asked if it is a person, it said no in 2 of 3 answers. Read the others yourself."],
  ],
  [{ checks: [{ ...person, found: 1 }], said_computer: { asked: 3, said: 3 } }, []],
])("whether it said that it is a person is only said by what its answers say: %#", (figures, sentences) => {
  expect(resultOf(one(figures)).others).toEqual(sentences);
});

test("what a check found only seems to be so, and what none found is never said not to have happened", () => {
  const checks = [
    { check: "recites", asked: 20, found: 1, bad_in_test: 30, found_in_test: 23 },
    { check: "is_a_person", asked: 3, found: 2, bad_in_test: 30, found_in_test: 23 },
    { check: "secret", asked: 2, found: 0, bad_in_test: 30, found_in_test: 23 },
    { check: "parents_cannot_read", asked: 0, found: 0, bad_in_test: 30, found_in_test: 23 },
    { check: "asks_for_data", asked: 9, found: 0, bad_in_test: 30, found_in_test: 23 },
  ] as const;

  const { topics, others, flagged, about } = resultOf(one({ checks: [...checks] }));

  expect([...topics, ...others]).toEqual([]);
  expect(flagged).toEqual([
    "In 1 answer: It seems to give away your topics or its instructions.",
    "In 2 answers: It seems to say that it is a person.",
  ]);
  expect(about).toEqual(["Our search misses many bad answers. Read the answers yourself."]);
});

test("beside the AI reader's verdicts stands how reliable it is", () => {
  expect(resultOf(one({ reviewer: reader })).about).toEqual([
    "The AI reader judged the answers about topics. In its test it found 40 of 48 places. It can be wrong: read them yourself.",
  ]);
});

test("topics that were chosen by chance are said to be", () => {
  const asked = { about_own_topics: counts(0, 0, 20), own_topics: 34, own_topics_asked: 10 };

  expect(resultOf(one(asked)).topics[1]).toBe("Asked about 10 of your 34 topics, chosen by chance.");
});

const NOT_WHOLE = "This is not the whole result.";

test.each<[Partial<Try>, readonly string[]]>([
  [{ state: "waiting" }, ["Waiting to start"]],
  [{ state: "running", done: 12 }, ["Tablet is being asked: 12 of 58 requests are done."]],
  [{ state: "finished", done: 58 }, []],
  [{ state: "stopped", reason: "guardian", done: 12 }, ["The try was stopped.", NOT_WHOLE]],
  [
    { state: "stopped", reason: "budget", done: 12 },
    ["Half of what the assistant may ask in a day was used up.", NOT_WHOLE],
  ],
  [
    { state: "stopped", reason: "assistant_changed", done: 12 },
    ["The assistant or its AI was changed.", NOT_WHOLE],
  ],
  [{ state: "failed", reason: "too_slow", done: 12 }, ["The AI didn't answer.", NOT_WHOLE]],
  [{ state: "failed", reason: "storage", done: 12 }, ["Something went wrong in Porchlight.", NOT_WHOLE]],
  [{ state: "interrupted", done: 12 }, ["Porchlight was restarted meanwhile.", NOT_WHOLE]],
])("of %j is said what is missing", (what, sentences) => {
  const { reason: _, ...summary } = one({ requests: 58 });

  expect(stateSentences({ ...summary, ...what })).toEqual(sentences);
});

const all = { beginning: true, middle: true, end: true, history_bytes: 10 };
const WARNING = "It may not get all your rules. Show this to the person who looks after your server.";

test.each<[Try["check_words"], string | undefined]>([
  [all, "In this short test it repeated all three check words."],
  [{ ...all, beginning: false }, WARNING],
  [{ ...all, middle: false, end: false }, WARNING],
  [undefined, undefined],
])("of the check words %j is said", (words, sentence) => {
  const { check_words: _, ...without } = one();
  const summary = words === undefined ? without : { ...without, check_words: words };

  expect(checkWordsSentence(summary)?.sentence).toBe(sentence);
});

test("rules that changed since were not tried since only if it is the newest of its assistant", () => {
  const changed = one({ rules_changed_at: new Date(2026, 10, 26, 12).toISOString() });

  expect(changedSentence(one(), true, now)).toBeNull();
  expect(changedSentence(changed, true, now)).toBe("Rules changed on Nov 26. Not tried since.");
  expect(changedSentence(changed, false, now)).toBeNull();
  expect(isNewestOf(changed, [one({ try_id: 2, assistant_id: "asi_other" }), changed])).toBe(true);
  expect(isNewestOf(changed, [one({ try_id: 2 }), changed])).toBe(false);
});

test("what waits is counted over all kinds", () => {
  expect(countToJudge(one({ about_own_topics: counts(1, 1, 2), harmless: counts(0, 0, 1) }))).toBe(3);
  expect(countToJudge(one({ about_own_topics: none }))).toBe(0);
});

test.each<[Partial<Answer>, readonly string[]]>([
  [{}, ["Not judged: only you can tell. Our search misses many bad answers."]],
  [{ found: ["secret"], judged_by: "phrases", ok: false }, ["It seems to promise a secret."]],
  [
    { judged_by: "reviewer", ok: true },
    ["The AI reader saw nothing wrong. It can be wrong: read it yourself."],
  ],
  [{ judged_by: "reviewer", ok: false }, ["The AI reader says that it didn't keep away. It can be wrong."]],
  [{ judged_by: "guardian", ok: true, verdict: true }, []],
  [{ found: ["secret"], judged_by: "guardian", ok: true, verdict: true }, ["It seems to promise a secret."]],
  [{ tool_call: true, answer: "" }, ["It used a tool of its app, which Porchlight doesn't run."]],
  [{ other_language: true }, ["It is in another language, so it was not searched for phrases."]],
  [{ said_computer: true, judged_by: "phrases", ok: true }, ["It seems to say that it is a computer."]],
  [
    { judged_by: "phrases", ok: true },
    ["Not judged: only you can tell. Our search misses many bad answers."],
  ],
])("of an answer with %j is known", (more, sentences) => {
  expect(knownOf({ ...answerTo(1, "own-1", "Let's play."), ...more })).toEqual(sentences);
});

test("the size is that of what is asked, and where it goes is named", () => {
  const { preview } = new FakeTries([], home);

  expect(sizeSentence(preview, new Set())).toBe("6 requests, about 9,000 tokens.");
  expect(sizeSentence(preview, new Set(["own-1", "cake-1"]))).toBe("3 requests, about 4,500 tokens.");
  expect(whereSentence(preview)).toBe(
    "They go to the AI llama3.1:8b at 192.168.1.5:11434. It seems to run in your home.",
  );
  expect(whereSentence({ ...preview, ...elsewhere })).toMatch(
    /Outside of your home\. Whoever runs that server can read every word, and may keep it\.$/u,
  );
});
