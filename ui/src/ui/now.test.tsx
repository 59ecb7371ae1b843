import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { useToday } from "./now";

function Day() {
  return <p>{useToday().toDateString()}</p>;
}

afterEach(() => {
  vi.useRealTimers();
});

test("the day changes at midnight, with one timer a day", () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 22) });
  render(<Day />);
  expect(screen.getByText("Mon Nov 23 2026")).toBeVisible();
  expect(vi.getTimerCount()).toBe(1);

  act(() => void vi.advanceTimersByTime(2 * 60 * 60_000));

  expect(screen.getByText("Tue Nov 24 2026")).toBeVisible();
  expect(vi.getTimerCount()).toBe(1);
});

test("after a sleep the current day is shown", () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 22) });
  render(<Day />);

  vi.setSystemTime(new Date(2026, 10, 25, 8));
  act(() => void document.dispatchEvent(new Event("visibilitychange")));

  expect(screen.getByText("Wed Nov 25 2026")).toBeVisible();
});
