import { act, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Tooltip } from "./Tooltip";

beforeEach(() => {
  render(
    <Tooltip words="Always blocked">
      {(describedBy) => (
        <button type="button" aria-describedby={describedBy}>
          Lock
        </button>
      )}
    </Tooltip>,
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const lock = () => screen.getByRole("button", { name: "Lock" });
const shown = () => screen.queryByRole("tooltip") !== null;

test("on hover the tooltip opens after 200 ms", async () => {
  vi.useFakeTimers();
  fireEvent.pointerEnter(lock(), { pointerType: "mouse" });
  await act(() => vi.advanceTimersByTimeAsync(199));
  expect(shown()).toBe(false);

  await act(() => vi.advanceTimersByTimeAsync(1));

  expect(shown()).toBe(true);
});

test("on focus the tooltip opens at once, and Escape closes it", async () => {
  await userEvent.tab();
  expect(shown()).toBe(true);

  await userEvent.keyboard("{Escape}");

  expect(shown()).toBe(false);
});

test("on touch the tooltip stays open until something else is touched", () => {
  fireEvent.pointerEnter(lock(), { pointerType: "touch" });
  fireEvent.pointerLeave(lock(), { pointerType: "touch" });
  expect(shown()).toBe(true);

  fireEvent.pointerDown(document.body, { pointerType: "touch" });

  expect(shown()).toBe(false);
});

test("the tooltip is the accessible description even while hidden", () => {
  expect(lock()).toHaveAccessibleDescription("Always blocked");
});
