/** The shape of something that is on its way. Its size comes from `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />;
}
