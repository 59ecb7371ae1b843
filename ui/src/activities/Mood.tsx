import { faceOf } from "./faces";
import { plainText } from "../format/plain-text";

/** The child's mood as a face, its word for those who listen or point at it; '-' when nobody said. */
export function Mood({ mood }: { mood: string | null | undefined }) {
  const word = plainText(mood ?? "").trim();
  if (word === "") return "-";
  return (
    <span title={word} className="inline-flex items-center gap-1.5 align-middle text-muted">
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className="size-6 shrink-0"
      >
        <circle cx="12" cy="12" r="8.5" />
        <path d={faceOf(word).path} />
      </svg>
      {/* A finger can't point: on a phone the word is there to see. */}
      <bdi className="min-w-0 text-sm [overflow-wrap:anywhere] sm:sr-only">{word}</bdi>
    </span>
  );
}
