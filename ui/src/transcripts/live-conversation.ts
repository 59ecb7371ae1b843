import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { MESSAGES_AT_A_TIME, messagePages } from "./pages";
import { type Message, rowsOf } from "./rows";
import { listMessages } from "../api/generated/client/transcripts/transcripts";
import { sentenceOf } from "../api/problem";
import { unreadableRows } from "../api/unreadable-rows";

export type LoadedConversation = ReturnType<typeof useConversation>;

type Page = Awaited<ReturnType<typeof listMessages>>;
type Pages = InfiniteData<Page, string | undefined>;

/** A conversation under way is asked for news this often; one that has fallen silent, less so. */
const LIVE_MS = 4000;
const SILENT_MS = 15_000;
const SILENT_AFTER_MS = 10 * 60_000;

/** How long until a session is asked for news; false when there will be none. */
export function askAgainAfter(ended: boolean, newest: string | undefined, now: number): number | false {
  if (ended) return false;
  return newest !== undefined && now - Date.parse(newest) > SILENT_AFTER_MS ? SILENT_MS : LIVE_MS;
}

/**
 * A session's conversation, oldest first. Further pages load on demand. Once all are there and while the session has
 * not ended, the last page is asked for again and again: new messages join at its end, corrected ones change in place.
 */
export function useConversation(sessionId: number, ended: boolean) {
  const queryClient = useQueryClient();
  const asked = messagePages(sessionId);
  const { queryKey } = asked;
  const query = useInfiniteQuery({
    ...asked,
    select: ({ pages }) => ({
      rows: rowsOf(pages.flatMap((page) => page.data.messages)),
      unreadable: unreadableRows(pages),
    }),
  });

  const complete = query.data !== undefined && !query.hasNextPage;
  const lastPage = useQuery({
    queryKey: [...queryKey, "last page"],
    enabled: complete && !ended,
    refetchInterval: () =>
      askAgainAfter(ended, newestIn(queryClient.getQueryData<Pages>(queryKey))?.timestamp, Date.now()),
    // The pages have just been loaded; the first question comes after the first interval.
    initialData: true,
    staleTime: LIVE_MS,
    queryFn: async ({ signal }) => {
      const after = queryClient.getQueryData<Pages>(queryKey)?.pageParams.at(-1);
      const page = await listMessages(
        sessionId,
        { ...MESSAGES_AT_A_TIME, ...(after !== undefined && { after }) },
        { signal },
      );
      queryClient.setQueryData<Pages>(queryKey, (known) => known && withLastPage(known, page, after));
      return true;
    },
  });

  // What was said between the last question and the end.
  const wasEnded = useRef(ended);
  const { refetch } = lastPage;
  useEffect(() => {
    if (ended && !wasEnded.current) void refetch();
    wasEnded.current = ended;
  }, [ended, refetch]);

  return { ...query, complete };
}

/** Replaces the last page, unless another one has followed it meanwhile. */
function withLastPage(known: Pages, page: Page, after: string | undefined): Pages {
  return known.pageParams.at(-1) === after ? { ...known, pages: [...known.pages.slice(0, -1), page] } : known;
}

function newestIn(known: Pages | undefined): Message | undefined {
  return known?.pages.at(-1)?.data.messages.at(-1);
}

/** Why a transcript is not there. */
export function transcriptSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred fetching transcript detail.");
}
