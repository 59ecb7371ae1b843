import type { KeyboardEvent } from "react";

interface ArrowKeys {
  count: number;
  /** The index of the focused item; -1 if it is none of them. */
  current: number;
  /** Whether the last is followed by the first, and left and right move, too. */
  isLoop?: boolean;
  onMove: (to: number) => void;
}

/** Handles the arrow keys, Home and End in a list of items. Returns whether the key was one of them. */
export function moveByKey(
  event: KeyboardEvent,
  { count, current, isLoop = false, onMove }: ArrowKeys,
): boolean {
  const to = isLoop ? loopIndex(event.key, current, count) : lineIndex(event.key, current, count);
  if (to === null) return false;
  event.preventDefault();
  onMove(to);
  return true;
}

/** The index that a key moves to; null for other keys. */
export function loopIndex(key: string, current: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return (current + 1) % count;
    case "ArrowUp":
    case "ArrowLeft":
      return current <= 0 ? count - 1 : current - 1;
    default:
      return lineIndex(key, current, count);
  }
}

/** It ends at the first and at the last item. */
function lineIndex(key: string, current: number, count: number): number | null {
  const to = { ArrowUp: current - 1, ArrowDown: current + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || to < 0 || to >= count ? null : to;
}
