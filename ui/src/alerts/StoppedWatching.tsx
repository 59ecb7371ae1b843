import { plainText } from "../format/plain-text";

export function StoppedWatching({ words }: { words: string }) {
  return (
    <>
      Stopped watching for &quot;<bdi>{plainText(words)}</bdi>&quot;.
    </>
  );
}
