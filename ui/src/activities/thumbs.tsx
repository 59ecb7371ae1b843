import { Icon } from "../ui/icons";

const outline =
  "M7 11v8.5H4.5V11zM7 11l3.8-7c1.3 0 2.2 1 2 2.3L12.2 10H18a2 2 0 0 1 2 2.4l-1.1 5.5a2 2 0 0 1-2 1.6H7";

/** A thumb on a grid of 24, in the colour of the word beside it. */
function Thumb({ className = "" }: { className?: string }) {
  return (
    <Icon className={`size-5 ${className}`}>
      <path d={outline} />
    </Icon>
  );
}

export function ThumbUpIcon() {
  return <Thumb />;
}

export function ThumbDownIcon() {
  return <Thumb className="rotate-180" />;
}
