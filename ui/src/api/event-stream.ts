/** One stream of events about a child. An event says what changed; the queries that show it are refetched. */
import { createParser } from "eventsource-parser";

import { getStreamEventsUrl } from "./generated/client/events/events";
import { currentIdentity, dropRejectedToken } from "./identity-token";
import { RequestFailed } from "./problem";

/** The server says every 15 s that it is there; a stream that is silent for this long is lost. */
const SILENCE_MS = 40_000;

interface Listener {
  /** The stream is there; so long ago something of the child changed last. */
  onOpen: (unchangedForMs: number) => void;
  /** What changed, such as `session 14` or `blocked_topics`. */
  onEvent: (changed: string) => void;
}

/** Reads a stream until it ends, and then rejects: a stream has no end of its own. */
export async function readEvents(childId: number, signal: AbortSignal, listener: Listener): Promise<never> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE_MS);
  };
  heard();
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  try {
    const { body, headers } = await openStream(childId, ended.signal);
    listener.onOpen(Number(headers.get("Porchlight-Unchanged-For") ?? 0));
    const parser = createParser({ onEvent: ({ data }) => listener.onEvent(data) });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after the other
      const { done, value } = await reader.read();
      if (done) throw new RequestFailed("The stream of events ended.");
      heard();
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

async function openStream(childId: number, signal: AbortSignal) {
  const { token } = await currentIdentity();
  const response = await fetch(getStreamEventsUrl(childId), {
    headers: { Authorization: `Bearer ${token}` },
    credentials: "same-origin",
    signal,
  });
  if (response.status === 401) dropRejectedToken(token);
  if (!response.ok || response.body === null)
    throw new RequestFailed("The stream of events did not open.", { status: response.status });
  return { body: response.body, headers: response.headers };
}
