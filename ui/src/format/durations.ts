/** A duration in seconds: rounded seconds below a minute, else rounded minutes; 'N/A' if it is invalid or negative. */
export function duration(seconds: number | null | undefined): string {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) return "N/A";
  if (seconds < 60) return `${Math.round(seconds)} sec`;
  return `${Math.round(seconds / 60)} min`;
}
