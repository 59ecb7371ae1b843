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

test("a mouse waits 200 ms for the words", async () => {
  vi.useFakeTimers();
  fireEvent.pointerEnter(lock(), { pointerType: "mouse" });
  await act(() => vi.advanceTimersByTimeAsync(199));
  expect(shown()).toBe(false);

  await act(() => vi.advanceTimersByTimeAsync(1));

  expect(shown()).toBe(true);
});

test("the focus shows the words at once, and Escape hides them", async () => {
  await userEvent.tab();
  expect(shown()).toBe(true);

  await userEvent.keyboard("{Escape}");

  expect(shown()).toBe(false);
});

test("a finger shows the words until it touches something else", () => {
  fireEvent.pointerEnter(lock(), { pointerType: "touch" });
  fireEvent.pointerLeave(lock(), { pointerType: "touch" });
  expect(shown()).toBe(true);

  fireEvent.pointerDown(document.body, { pointerType: "touch" });

  expect(shown()).toBe(false);
});

test("the words describe the thing even while they are hidden", () => {
  expect(lock()).toHaveAccessibleDescription("Always blocked");
});
