import { Icon, type IconNode } from "lucide-react";

import { faceOf } from "./faces";

const outline: IconNode = [["circle", { cx: 12, cy: 12, r: 8.5, key: "outline" }]];

/** The child's mood as a face, its word for those who listen or point at it; '-' when nobody said. */
export function Mood({ mood: word }: { mood: string }) {
  if (word === "") return "-";
  return (
    <span title={word} className="inline-flex items-start gap-1.5 align-middle max-sm:pt-px text-muted">
      <Icon iconNode={[...outline, ["path", { d: faceOf(word).path, key: "face" }]]} />
      {/* A finger can't point: on a phone the word is there to see. */}
      <bdi className="min-w-0 text-sm [overflow-wrap:anywhere] sm:sr-only">{word}</bdi>
    </span>
  );
}
