/** A placeholder for content that is loading. Its size comes from `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />;
}

/** The placeholder for a whole page. */
export function PageSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-8 w-64 max-w-full" />
      <Skeleton className="h-48" />
    </div>
  );
}
