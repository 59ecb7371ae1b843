import { Icon, type IconNode } from "lucide-react";

import { faceOf } from "./faces";

const outline: IconNode = [["circle", { cx: 12, cy: 12, r: 8.5, key: "outline" }]];

/** The child's mood as a face and its word; '-' when unknown. */
export function Mood({ mood: word }: { mood: string }) {
  if (word === "") return "-";
  return (
    <span className="inline-flex max-w-full items-start gap-1.5 align-middle text-muted @max-xl:pt-px @xl:w-20 @xl:flex-col @xl:items-center @xl:gap-0.5">
      <Icon iconNode={[...outline, ["path", { d: faceOf(word).path, key: "face" }]]} />
      <bdi className="min-w-0 text-sm wrap-break-word @xl:wrap-anywhere">{word}</bdi>
    </span>
  );
}
