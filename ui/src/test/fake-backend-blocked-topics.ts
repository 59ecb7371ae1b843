/** Blocked topics of the fake backend. */
import { HttpResponse, delay } from "msw";

import { problem } from "./fake-problem";

export interface FakeBlockList {
  topics: string[];
  guardians: number;
  /** Incremented by each change; the ETag contains it. */
  version: number;
}

export function blockListOf(...topics: string[]): FakeBlockList {
  return { topics, guardians: 1, version: 1 };
}

export function answerList({ topics, guardians, version }: FakeBlockList): Response {
  return HttpResponse.json(topics, {
    headers: { ETag: `"${version}"`, "Porchlight-Guardians": String(guardians) },
  });
}

/** Simulates a change by another guardian. */
export function changeElsewhere(list: FakeBlockList, topics: string[]): void {
  list.topics = topics;
  list.version += 1;
}

/** Stores a list, or fails for the topics listed in `fake-backend.ts`. */
export async function answerReplacing(
  list: FakeBlockList,
  sent: string[],
  expected: string | null,
): Promise<Response> {
  const wants = (topic: string) => sent.includes(topic) && !list.topics.includes(topic);
  if (wants("fail with detail"))
    return problem(
      503,
      "storage_unavailable",
      "The list can't be saved right now. Please try again in a minute.",
    );
  if (wants("fail with message"))
    return HttpResponse.json({ message: "The list was not saved, says the message." }, { status: 500 });
  if (wants("fail with nothing")) return new HttpResponse("<h1>Bad gateway</h1>", { status: 502 });
  if (wants("offline")) return HttpResponse.error();
  if (wants("slow")) await delay("infinite");
  if (wants("a while")) await delay(3000);
  if (wants("somebody else") && !list.topics.includes("From somebody else"))
    changeElsewhere(list, [...list.topics, "From somebody else"]);
  if (expected !== null && expected !== `"${list.version}"`) {
    return problem(
      412,
      "blocked_topics_changed",
      "The list was changed meanwhile. Please look at it again and repeat your change.",
    );
  }
  changeElsewhere(list, sent);
  const headers = { ETag: `"${list.version}"` };
  if (sent.includes("as an object")) return HttpResponse.json({ topics: sent }, { headers });
  if (sent.includes("as nothing")) return HttpResponse.json({}, { headers });
  return HttpResponse.json(sent, { headers });
}
