import { useEffect, useState } from "react";

/** The maximum delay of a browser's timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The current time. Rerenders at `next`, a timestamp. */
export function useNow(next: string | undefined): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const end = Date.parse(next ?? "");
    if (Number.isNaN(end) || end <= now.getTime()) return undefined;
    const delay = Math.min(Math.max(0, end - Date.now()), MAX_DELAY_MS);
    const timer = setTimeout(() => setNow(new Date()), delay);
    return () => clearTimeout(timer);
  }, [next, now]);
  return now;
}

/** A time of the current day. Rerenders at midnight, and when the page becomes visible on another day. */
export function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = () => {
      const later = new Date();
      if (later.toDateString() !== now.toDateString()) setNow(later);
    };
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    const timer = setTimeout(() => setNow(new Date()), Math.max(0, midnight.getTime() - Date.now()));
    // Timers may be late after the device slept.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [now]);
  return now;
}
