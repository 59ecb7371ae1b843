import { useState } from "react";

/** Which edition of a request the guardian has read, while the page shows the latest. */
export interface Reading {
  /** Whether the page shows another edition by now. */
  isOutdated: boolean;
  readAgain: () => void;
  /** The server refuses an answer to another edition than this. */
  init: RequestInit;
}

/** The edition that was shown first counts as read: a later one may appear just before a click. */
export function useReading(edition: string): Reading {
  const [read, setRead] = useState(edition);
  return {
    isOutdated: read !== edition,
    readAgain: () => setRead(edition),
    init: { headers: { "If-Match": `"${read}"` } },
  };
}
