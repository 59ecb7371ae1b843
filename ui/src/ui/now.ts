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
