import { useLayoutEffect } from "react";

/** Sets the document's title. */
export function PageTitle({ page }: { page: string }) {
  // A layout effect, because screen readers read the title as soon as the page is visible.
  useLayoutEffect(() => {
    document.title = `${page} · Porchlight`;
  }, [page]);
  return null;
}
