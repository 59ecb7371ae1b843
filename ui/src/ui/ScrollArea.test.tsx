import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { ScrollArea } from "./ScrollArea";

afterEach(() => vi.useRealTimers());

test("the scroll bar disappears 600 ms after the last scroll", () => {
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

test.each([
  ["fits", 100, false],
  ["is longer than it", 400, true],
])("an area whose content %s is a tab stop: %s", async (_what, height, isStop) => {
  const content = vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(height);
  const room = vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(100);

  render(<ScrollArea label="Messages">…</ScrollArea>);
  await act(async () => Promise.resolve());

  expect(screen.getByRole("region", { name: "Messages" }).hasAttribute("tabindex")).toBe(isStop);
  content.mockRestore();
  room.mockRestore();
});

test("an area is measured after the layout, not while it is added", async () => {
  const content = vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(400);

  render(<ScrollArea label="Messages">…</ScrollArea>);
  expect(content).not.toHaveBeenCalled();

  await act(async () => Promise.resolve());
  expect(content).toHaveBeenCalled();
  content.mockRestore();
});
