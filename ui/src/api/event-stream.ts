/** The server-sent events of a child. An event names what changed; the queries that show it are refetched. */
import { createParser } from "eventsource-parser";

import { currentIdentity, dropRejectedToken } from "./identity-token";
import { RequestFailed } from "./problem";

/** The server sends a keep-alive every 15 s; a stream that is silent for this long is lost. */
const SILENCE_MS = 40_000;

/** A stream without a byte for this long is held by something between, which collects an answer before it passes it on. */
const HELD_MS = 20_000;

interface Listener {
  /** The stream is open. `unchangedForMs` is the time since the child's data last changed. */
  onOpen: (unchangedForMs: number) => void;
  /** What changed, such as `session 14` or `blocked_topics`. */
  onEvent: (changed: string) => void;
  /** No event arrives in time, so the listener must ask. Called until one arrives, or the stream ends. */
  onHeld: () => void;
}

/** Reads a stream until the connection ends, and then rejects. */
export async function readEvents(childId: number, signal: AbortSignal, listener: Listener): Promise<never> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimeout = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE_MS);
  };
  restartTimeout();
  const held = setInterval(() => listener.onHeld(), HELD_MS);
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  try {
    const { body, headers } = await openStream(childId, ended.signal);
    listener.onOpen(Number(headers.get("Porchlight-Unchanged-For") ?? 0));
    const parser = createParser({ onEvent: ({ data }) => listener.onEvent(data) });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- chunks are sequential
      const { done, value } = await reader.read();
      if (done) throw new RequestFailed("The stream of events ended.");
      restartTimeout();
      clearInterval(held);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
    clearInterval(held);
    signal.removeEventListener("abort", end);
  }
}

async function openStream(childId: number, signal: AbortSignal) {
  const { token } = await currentIdentity();
  const response = await fetch(`/api/child/${childId}/events`, {
    headers: { Authorization: `Bearer ${token}` },
    credentials: "same-origin",
    signal,
  });
  if (response.status === 401) dropRejectedToken(token);
  if (!response.ok || response.body === null)
    throw new RequestFailed("The stream of events did not open.", { status: response.status });
  return { body: response.body, headers: response.headers };
}
