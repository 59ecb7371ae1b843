/** One quiet line, also for those who listen to the page; nothing without a sentence. */
export function QuietLine({ sentence, className = "" }: { sentence: string | null; className?: string }) {
  if (sentence === null) return null;
  return (
    <p role="status" className={`text-sm text-muted ${className}`}>
      {sentence}
    </p>
  );
}
