/** Activities, summaries and feedback of the fake backend. */
import { HttpResponse, delay } from "msw";

import { notFound, problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

export interface FakeActivities {
  /** By child, newest first. */
  completed: Map<number, Schemas["CompletedActivity"][]>;
  /** By child, in the assistant's order. */
  upcoming: Map<number, Schemas["UpcomingActivity"][]>;
  /** By child; one without a summary has `null`. */
  summaries: Map<number, Schemas["Summary"]>;
  /** All accepted feedback, oldest first. */
  feedback: (Schemas["Feedback"] & { activity_id: string })[];
}

const DAY = 24 * 60 * 60_000;

export function noActivities(): FakeActivities {
  return { completed: new Map(), upcoming: new Map(), summaries: new Map(), feedback: [] };
}

export function completed(
  sessionId: number,
  daysAgo: number,
  more: Partial<Schemas["CompletedActivity"]> = {},
): Schemas["CompletedActivity"] {
  const endedAt = new Date(Date.now() - daysAgo * DAY).toISOString();
  return {
    session_id: sessionId,
    date: endedAt.slice(0, 10),
    ended_at: endedAt,
    topic: "Fractions with pizza",
    duration: 840,
    score: null,
    ...more,
  };
}

export function activitiesOfMia(): FakeActivities {
  return {
    ...noActivities(),
    completed: new Map([
      [
        1,
        [
          completed(102, 1, { score: "8 of 10", mood: "happy" }),
          completed(103, 2, { topic: "Counting aloud", duration: 42, score: 9.5, mood: "proud" }),
          completed(104, 3, { topic: "How bees find home", duration: 1260, mood: "curious" }),
          completed(105, 5, {
            topic: "Reading: The lost kite",
            duration: 600,
            score: "read to page 31",
            mood: "tired",
          }),
          completed(106, 6, { topic: "Why leaves turn red", duration: 380, score: 0, mood: "bouncy" }),
          completed(107, 8, { topic: "Long division", duration: 900, score: "3 of 10", mood: "frustrated" }),
          completed(108, 9, { topic: "", duration: 5 }),
        ],
      ],
    ]),
    upcoming: new Map([
      [
        1,
        [
          {
            activity_id: "volcano",
            topic: "Build a paper volcano",
            summary:
              "Mia asked twice why mountains smoke. She would build one and learn what pushes the lava up.",
          },
          { activity_id: "kite/2", topic: "The lost kite, chapter two" },
          {
            activity_id: "times",
            topic: "Times tables as a song",
            summary: "Ten minutes, with clapping. The sixes and sevens first.",
          },
        ],
      ],
    ]),
    summaries: new Map([
      [
        1,
        {
          sessions: 74,
          minutes: 912,
          last_session: { date: "2026-11-20T18:05:00Z", topic: "Moon and stars", session_id: 101 },
          topics: [
            { topic: "Fractions with pizza", sessions: 19 },
            { topic: "How bees find home", sessions: 18 },
          ],
          moods: { curious: 31, happy: 22, tired: 6 },
          report: {
            headline: "Mia explains fractions in her own words now.",
            strengths: ["asks why", "keeps trying"],
            needs_practice: [],
            confident: true,
            next_check: null,
          },
        },
      ],
    ]),
  };
}

export function hostileActivities(): FakeActivities {
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  let deep: Record<string, unknown> = { end: "of it, and this sentence goes on and on until it has to wrap" };
  for (let depth = 0; depth < 20; depth += 1) deep = { deeper: deep };
  return {
    ...noActivities(),
    completed: new Map([
      [
        7,
        [
          completed(701, 1, {
            topic: `${word}${word}`,
            score: word,
            mood: "Wolfeschlegelsteinhausenberger",
            duration: 86_400,
          }),
          completed(702, 2, { topic: "القمر والنجوم والكواكب", score: "ممتاز", mood: "سعيد" }),
          completed(703, 3, {
            topic: "Turned \u202Earound",
            score: "\u202E10 of 01",
            mood: "👩‍🚀🌙",
            date: "yesterday",
          }),
          completed(704, 4, { topic: "<b>Not bold</b>", score: -0.125, mood: "  ", duration: -1 }),
          ...Array.from({ length: 1100 }, (_, index) =>
            completed(6000 - index, 5 + index / 3, { mood: "calm" }),
          ),
        ],
      ],
    ]),
    upcoming: new Map([
      [
        7,
        [
          { activity_id: "a b/ü?#%2F", topic: `${word}${word}`, summary: `${word} `.repeat(12) },
          { activity_id: "ar", topic: "القمر والنجوم", summary: "لماذا يتبعنا القمر عندما نقود السيارة؟" },
          {
            activity_id: "<b>",
            topic: "Turned \u202Earound",
            summary: "One line\nanother line\n\nand one more",
          },
        ],
      ],
    ]),
    summaries: new Map([
      [
        7,
        {
          sessions: 9_007_199_254_740_991,
          minutes: 0,
          topics: [{ topic: word + word, sessions: 1 }],
          moods: { سعيد: 3, "👩‍🚀": 1 },
          report: {
            مرحبا: "لماذا يتبعنا القمر عندما نقود السيارة؟ And in English again.",
            turned: "Some text that says \u202Edesrever ton si siht\u202C, really.",
            lines: 'One line\nanother line\t"quoted"',
            [word]: { deep, numbers: [0, -1.5, 1e21, true, null, [], {}] },
          },
        },
      ],
    ]),
  };
}

/** The index of the first activity older than that of a session. */
export function indexBehind(all: readonly Schemas["CompletedActivity"][], session: string | null): number {
  return session === null ? 0 : all.findIndex(({ session_id }) => String(session_id) === session) + 1;
}

/** Accepts feedback, or fails for the reasons listed in `fake-backend.ts`. */
export async function answerFeedback(
  known: FakeActivities,
  childId: number,
  activityId: string,
  feedback: Schemas["Feedback"],
): Promise<Response> {
  switch (feedback.reason ?? "") {
    case "fail with detail":
      return problem(
        503,
        "storage_unavailable",
        "Feedback can't be saved right now. Please try again in a minute.",
      );
    case "fail with message":
      return HttpResponse.json({ message: "The feedback was not saved, says the message." }, { status: 500 });
    case "fail with nothing":
      return new HttpResponse("<h1>Bad gateway</h1>", { status: 502 });
    case "offline":
      return HttpResponse.error();
    case "slow":
      await delay("infinite");
      break;
    case "a while":
      await delay(3000);
      break;
    default:
  }
  const list = known.upcoming.get(childId) ?? [];
  const isKnown = [...list, ...known.feedback].some(({ activity_id }) => activity_id === activityId);
  if (!isKnown) return notFound();
  known.feedback.push({ activity_id: activityId, ...feedback });
  return new HttpResponse(null, { status: 204 });
}

/** Takes back the feedback on an activity, or fails if its reason is `fail to undo`. */
export function answerTakingBack(known: FakeActivities, activityId: string): Response {
  const isOther = ({ activity_id }: { activity_id: string }) => activity_id !== activityId;
  if (known.feedback.some((one) => !isOther(one) && one.reason === "fail to undo"))
    return problem(409, "feedback_not_yours", "This feedback isn't known to be yours.");
  known.feedback = known.feedback.filter(isOther);
  return new HttpResponse(null, { status: 204 });
}

/** The proposals without feedback. */
export function openProposals(known: FakeActivities, childId: number): Schemas["UpcomingActivity"][] {
  const judged = new Set(known.feedback.map(({ activity_id: id }) => id));
  return (known.upcoming.get(childId) ?? []).filter(({ activity_id: id }) => !judged.has(id));
}
