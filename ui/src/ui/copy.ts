import { type RefObject, useEffect, useState } from "react";

/** How long the result of copying is shown. */
const ANNOUNCEMENT_MS = 3000;

/** Copies a text; where the browser forbids it, selects what is shown so that the parent can. */
export function useCopy(shown: RefObject<HTMLElement | null>) {
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (announcement === "") return undefined;
    const timer = setTimeout(() => setAnnouncement(""), ANNOUNCEMENT_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setAnnouncement("Copied");
    } catch {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      setAnnouncement("Selected, ready to copy");
    }
  };
  return { announcement, copy };
}
