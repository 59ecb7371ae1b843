import { getListHistoryInfiniteQueryOptions } from "../api/generated/client/children/children";

const PAGE = { limit: 10 };

export function changesQuery(childId: number) {
  return getListHistoryInfiniteQueryOptions(childId, PAGE, {
    query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next },
  });
}
