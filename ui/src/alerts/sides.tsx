import type { Side } from "./phrases";

export const sides: readonly Side[] = ["either", "child", "assistant"];

/** Whose words are watched. A speaker hears everybody, so it never says that the child spoke. */
export function SideName({ side, childName }: { side: Side; childName: string }) {
  switch (side) {
    case "child":
      return (
        <>
          <bdi>{childName}</bdi>&apos;s side
        </>
      );
    case "assistant":
      return "The assistant's side";
    case "either":
      return "Either one";
  }
}
