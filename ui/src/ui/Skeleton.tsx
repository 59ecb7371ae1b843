interface SkeletonProps {
  /** The classes of each shape. */
  shapes: readonly string[];
  className?: string;
}

/** A placeholder for content that is loading: a column or row of shapes. */
export function Skeleton({ shapes, className = "flex-col gap-4" }: SkeletonProps) {
  return (
    <div
      className={`flex *:animate-[breathe_1.6s_ease-in-out_infinite] *:rounded-control *:bg-quiet ${className}`}
    >
      {shapes.map((shape, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the shapes never change
        <div key={index} className={shape} />
      ))}
    </div>
  );
}
