import { faceOf } from "./faces";
import { Icon } from "../ui/icons";

/** The child's mood as a face, its word for those who listen or point at it; '-' when nobody said. */
export function Mood({ mood: word }: { mood: string }) {
  if (word === "") return "-";
  return (
    <span title={word} className="inline-flex items-start gap-1.5 align-middle max-sm:pt-px text-muted">
      <Icon>
        <circle cx="12" cy="12" r="8.5" />
        <path d={faceOf(word).path} />
      </Icon>
      {/* A finger can't point: on a phone the word is there to see. */}
      <bdi className="min-w-0 text-sm [overflow-wrap:anywhere] sm:sr-only">{word}</bdi>
    </span>
  );
}
