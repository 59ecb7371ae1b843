import { useLayoutEffect } from "react";

/** What the tab, the history and a screen reader call this page. */
export function PageTitle({ page }: { page: string }) {
  // With the page itself, not some time after it: a screen reader reads the title as soon as the page is there.
  useLayoutEffect(() => {
    document.title = `${page} · Porchlight`;
  }, [page]);
  return null;
}
