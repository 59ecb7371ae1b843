import { type RefObject, useEffect, useState } from "react";

const ANNOUNCEMENT_MS = 3000;

/** Copies the text of an element. If the browser blocks that, selects the text instead. */
export function useCopyToClipboard(shown: RefObject<HTMLElement | null>) {
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (announcement === "") return undefined;
    const timer = setTimeout(() => setAnnouncement(""), ANNOUNCEMENT_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  const copy = async () => {
    const element = shown.current;
    if (element === null) return;
    try {
      await navigator.clipboard.writeText(element.textContent);
      setAnnouncement("Copied");
    } catch {
      getSelection()?.selectAllChildren(element);
      setAnnouncement("Selected, ready to copy");
    }
  };
  return { announcement, copy };
}
