/** A line of muted text, announced to screen readers; nothing if `sentence` is null. */
export function QuietLine({ sentence, className = "" }: { sentence: string | null; className?: string }) {
  if (sentence === null) return null;
  return (
    <p role="status" className={`text-sm text-muted ${className}`}>
      {sentence}
    </p>
  );
}
