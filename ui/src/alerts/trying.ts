/** How often a phrase would have alerted the guardian. */
import { plural } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";

import type { Phrase } from "./phrases";
import { getTryWatchedPhraseUrl, tryWatchedPhrase } from "../api/generated/client/alerts/alerts";
import type { components } from "../api/generated/schema";
import { dateFormat } from "../format/locale";

export interface Tried {
  /** The number of alerts. */
  count: number;
  /** The newest. */
  matches: readonly components["schemas"]["TriedMatch"][];
  /** The start of the time that was read. */
  since: string;
}

/** The newest matches that are kept. */
const SHOWN = 3;

/** Settles when the latest try has ended. Tries run one after another, because the server answers only two of a guardian at a time. */
let lastTry: Promise<unknown> = Promise.resolve();

async function inTurn<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  const own = lastTry.then(run);
  lastTry = own.catch(() => {});
  return own;
}

/** Tries a phrase on all of the last 90 days; one request reads only a part of them. */
async function tryAll(childId: number, { words, side }: Phrase, signal: AbortSignal): Promise<Tried> {
  const tried: Tried = { count: 0, matches: [], since: "" };
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    const asked = { words, side, ...(after !== undefined && { after }) };
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before it ended
    const { data } = await tryWatchedPhrase(childId, asked, { signal });
    tried.count += data.count;
    tried.matches = [...tried.matches, ...data.items].slice(0, SHOWN);
    tried.since ||= data.since;
    after = data.next;
  } while (after !== undefined);
  return tried;
}

export function useTry(childId: number, { words, side }: Phrase, enabled: boolean) {
  const phrase = { words: words.trim(), side };
  return useQuery({
    queryKey: [getTryWatchedPhraseUrl(childId), phrase.words, side],
    queryFn: async ({ signal }) => inTurn(async () => tryAll(childId, phrase, signal)),
    enabled,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });
}

/** 'Since August 27, this would have alerted you 14 times.' */
export function triedSentence({ since, count }: Tried): string {
  const day = dateFormat({ month: "long", day: "numeric" }).format(new Date(since));
  return plural(count, {
    0: `Since ${day}, this would not have alerted you.`,
    one: `Since ${day}, this would have alerted you once.`,
    other: `Since ${day}, this would have alerted you # times.`,
  });
}
