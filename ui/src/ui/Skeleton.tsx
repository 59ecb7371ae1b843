/** The shape of something that is on its way. Its size comes from `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />;
}

/** The shape of a page of which nothing is known yet. */
export function PageSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-8 w-64 max-w-full" />
      <Skeleton className="h-48" />
    </div>
  );
}
