/** What a try would send, and where. */
import { plural, t } from "@lingui/core/macro";

import type { Preview, Reader } from "./sentences";
import { isolated } from "../format/isolated";
import { pageLocale } from "../format/locale";
import { plainText } from "../format/plain-text";
import { runsWhere } from "../format/runs-where";

/** How many requests and tokens are left if questions are left out. */
export function sizeOf(preview: Preview, leftOut: ReadonlySet<string>): { requests: number; tokens: number } {
  const out = preview.questions.filter(({ question_id: id }) => leftOut.has(id));
  const requests = preview.requests - out.reduce((total, { turns }) => total + turns.length, 0);
  const tokens = preview.requests === 0 ? 0 : (preview.tokens * requests) / preview.requests;
  return { requests, tokens: Number(tokens.toPrecision(2)) };
}

/** How much is asked of whom. */
export function sizeSentence(preview: Preview, leftOut: ReadonlySet<string>): string {
  const { requests, tokens } = sizeOf(preview, leftOut);
  const number = tokens.toLocaleString(pageLocale());
  return plural(requests, {
    one: `# request, about ${number} tokens.`,
    other: `# requests, about ${number} tokens.`,
  });
}

/** Where the questions go. */
export function whereSentence({ model, host, private: isPrivate }: Preview | Reader): string {
  const [ai, server] = [isolated(plainText(model)), isolated(plainText(host))];
  const where = t`They go to the AI ${{ ai }} at ${{ server }}.`;
  return isPrivate
    ? `${where} ${runsWhere(isPrivate)}.`
    : `${where} ${runsWhere(isPrivate)}. ${t`Whoever runs that server can read every word, and may keep it.`}`;
}

/** What the AI reader gets; null without one. */
export function readerGets({ reviewer, reviewer_requests: requests }: Preview): string | null {
  if (reviewer === undefined || requests === 0) return null;
  const [ai, server] = [isolated(plainText(reviewer.model)), isolated(plainText(reviewer.host))];
  const gets = plural(requests, {
    one: `The AI reader (${ai} at ${server}) gets # of them with its answer.`,
    other: `The AI reader (${ai} at ${server}) gets # of them with their answers.`,
  });
  return `${gets} ${runsWhere(reviewer.private)}.`;
}
