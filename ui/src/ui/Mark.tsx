/** The logo: a lamp at a door. */
export function Mark({ className = "size-8" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 ${className}`}>
      <g fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M16 3v3M8.5 12.5 16 6l7.5 6.5M11 28h10" />
      </g>
      <path d="M10.5 14h11L20 25h-8z" className="fill-flame" />
    </svg>
  );
}
