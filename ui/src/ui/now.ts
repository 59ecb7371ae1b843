import { useEffect, useState } from "react";

/** The longest delay of a browser's timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The present time. Renders again when it reaches `next`, a timestamp. */
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

/** The present time, at least of this day. Renders again when the next day begins, and when the page is seen again on another. */
export function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = () => {
      const later = new Date();
      if (later.toDateString() !== now.toDateString()) setNow(later);
    };
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    const timer = setTimeout(() => setNow(new Date()), Math.max(0, midnight.getTime() - Date.now()));
    // The timers of a device that sleeps may be late.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [now]);
  return now;
}
