/** A duration in seconds: rounded seconds below a minute, else rounded minutes; 'N/A' if it is invalid or negative. */
export function duration(seconds: number | null | undefined): string {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) return "N/A";
  if (seconds < 60) return `${Math.round(seconds)} sec`;
  return `${Math.round(seconds / 60)} min`;
}

function counted(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** A time in words, to the minute. */
export function inWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes === 0) return seconds > 0 ? "less than a minute" : "no time";
  const hours = Math.floor(minutes / 60);
  return [counted(hours, "hour"), counted(minutes % 60, "minute")].filter((part) => part !== "").join(" ");
}
