import { useEffect } from "react";
import { useLocation } from "react-router";

import type { useAlerts } from "./queries";
import type { AnyAlert } from "./sentences";
import { focusOn } from "../ui/focus";
import { historyState } from "../ui/history-state";

/** Goes to the alert for which the page was opened, once it is loaded. Until then it loads earlier ones. */
export function useOpenedAlert(
  alerts: readonly AnyAlert[],
  { hasNextPage, isFetching, isError, fetchNextPage }: ReturnType<typeof useAlerts>,
): void {
  const { alert: opened } = historyState(useLocation().state);
  const isLoaded = alerts.some(({ alert_id: id }) => id === opened);
  const isMissing = opened !== null && !isLoaded && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
  useEffect(() => {
    if (isLoaded) focusOn(document.querySelector<HTMLElement>(`[data-alert="${opened}"]`));
  }, [isLoaded, opened]);
}
