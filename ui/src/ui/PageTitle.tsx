import { useEffect } from "react";

/** What the tab, the history and a screen reader call this page. */
export function PageTitle({ page }: { page: string }) {
  useEffect(() => {
    document.title = `${page} · Porchlight`;
  }, [page]);
  return null;
}
