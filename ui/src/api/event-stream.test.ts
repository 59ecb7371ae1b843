import { afterEach, expect, test, vi } from "vitest";

import { readEvents } from "./event-stream";
import { storeIdentity } from "./identity-token";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a stream that a proxy holds is noticed until its first byte arrives", async () => {
  vi.useFakeTimers();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  vi.stubGlobal("fetch", async () => Promise.resolve(new Response(readable)));
  const guardian = { id: "gdn_ada", email: "ada@example.org" };
  storeIdentity({ identity_token: "token", expires_in: 600, guardian });
  const onHeld = vi.fn<() => void>();
  const leaving = new AbortController();
  const reading = readEvents(1, leaving.signal, { onOpen: () => {}, onEvent: () => {}, onHeld });
  const ended = reading.catch((error: unknown) => error);

  await vi.advanceTimersByTimeAsync(19_999);
  expect(onHeld).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onHeld).toHaveBeenCalledOnce();

  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode(":\n"));
  await vi.advanceTimersByTimeAsync(39_000);
  expect(onHeld).toHaveBeenCalledOnce();

  await writer.close();
  expect(await ended).toBeInstanceOf(Error);
});
