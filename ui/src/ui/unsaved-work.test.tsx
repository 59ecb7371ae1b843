import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";

import { PageStateProvider, usePageState } from "./page-state";
import { useUnsavedWork } from "./unsaved-work";

test("a page's state is shared by name, and `read` returns the latest value", () => {
  const { result } = renderHook(
    () => ({ one: usePageState("box", ""), same: usePageState("box", ""), other: usePageState("list", "") }),
    { wrapper: PageStateProvider },
  );

  act(() => {
    result.current.one.write("Bees");
    expect(result.current.same.read()).toBe("Bees");
  });

  expect(result.current.same.state).toBe("Bees");
  expect(result.current.other.state).toBe("");
});

test("each page has one message for its unsaved work, until it is saved", () => {
  const { result } = renderHook(useUnsavedWork, { wrapper: PageStateProvider });

  act(() => result.current.note("/one", "Not saved."));
  act(() => result.current.note("/two", "Not sent.", false));
  act(() => result.current.note("/one", "Still not saved."));
  expect(result.current.unsaved).toEqual({
    "/one": { sentence: "Still not saved.", isFailure: true },
    "/two": { sentence: "Not sent.", isFailure: false },
  });
  act(() => result.current.note("/one", null));

  expect(Object.keys(result.current.unsaved)).toEqual(["/two"]);
});
