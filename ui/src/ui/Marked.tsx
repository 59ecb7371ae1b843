/** A part of a text, and whether it is marked. */
export interface Part {
  text: string;
  marked: boolean;
}

export function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, marked }, index) =>
    marked ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts have no id and never change order
      <mark key={index} className="rounded-sm bg-lamp-glow text-ink underline decoration-lamp decoration-2">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
