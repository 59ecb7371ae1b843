import { t } from "@lingui/core/macro";
import { type RefObject, useEffect, useState } from "react";

const ANNOUNCEMENT_MS = 3000;

/** Copies the text of an element, or the given text for it. If the browser blocks that, selects the element instead. */
export function useCopyToClipboard(shown: RefObject<HTMLElement | null>) {
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (announcement === "") return undefined;
    const timer = setTimeout(() => setAnnouncement(""), ANNOUNCEMENT_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  const copy = async (text?: string) => {
    const element = shown.current;
    if (element === null) return;
    try {
      await navigator.clipboard.writeText(text ?? element.textContent);
      setAnnouncement(t`Copied`);
    } catch {
      getSelection()?.selectAllChildren(element);
      setAnnouncement(t`Selected, ready to copy`);
    }
  };
  return { announcement, copy };
}
