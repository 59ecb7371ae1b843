import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { ScrollArea } from "./ScrollArea";

afterEach(() => vi.useRealTimers());

test("a scroll bar leaves 600 ms after the last scroll", () => {
  vi.useFakeTimers();
  render(<ScrollArea label="Messages">…</ScrollArea>);
  const area = screen.getByRole("region", { name: "Messages" });
  expect(area).not.toHaveAttribute("data-scrolling");

  fireEvent.scroll(area);
  act(() => void vi.advanceTimersByTime(500));
  fireEvent.scroll(area);
  act(() => void vi.advanceTimersByTime(599));
  expect(area).toHaveAttribute("data-scrolling");

  act(() => void vi.advanceTimersByTime(1));
  expect(area).not.toHaveAttribute("data-scrolling");
});
