import { expect, test } from "vitest";

import { preloadInTurn } from "./preload";

test("code is preloaded one page after the other, also after one that can't be loaded", async () => {
  const started: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const page = (name: string, loading: Promise<void>) => async () => {
    started.push(name);
    return loading;
  };
  const pages = [
    page("first", first.promise),
    page("second", second.promise),
    page("third", Promise.resolve()),
  ];

  const all = preloadInTurn(pages, new AbortController().signal);
  expect(started).toEqual(["first"]);

  first.reject(new TypeError("Failed to fetch"));
  await expect.poll(() => started).toEqual(["first", "second"]);

  second.resolve();
  await all;
  expect(started).toEqual(["first", "second", "third"]);
});

test("after the frame is left no further page is preloaded", async () => {
  const leaving = new AbortController();
  const started: string[] = [];
  const pages = ["first", "second"].map((name) => async () => {
    started.push(name);
    leaving.abort();
  });

  await preloadInTurn(pages, leaving.signal);

  expect(started).toEqual(["first"]);
});
