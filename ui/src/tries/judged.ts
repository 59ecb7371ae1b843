/** What counts as judged. A search that finds nothing wrong misses too much to judge an answer. */
import type { Answer, Try } from "./sentences";

/** Answers that are OK only because a search found nothing are not judged, and count as that. */
export function withoutGuesses(
  summary: Try,
  answers: readonly Answer[],
): { summary: Try; answers: readonly Answer[] } {
  const guesses = (kind: Answer["kind"]) => answers.filter((one) => one.kind === kind && isGuess(one)).length;
  const recounted = (counts: Try["harmless"], kind: Answer["kind"]) => ({
    ...counts,
    ok: counts.ok - guesses(kind),
    to_judge: counts.to_judge + guesses(kind),
  });
  return {
    summary: {
      ...summary,
      about_own_topics: recounted(summary.about_own_topics, "own_topic"),
      about_mandatory: recounted(summary.about_mandatory, "mandatory"),
      about_conduct: recounted(summary.about_conduct, "conduct"),
      harmless: recounted(summary.harmless, "harmless"),
    },
    answers: answers.map((answer): Answer => {
      if (!isGuess(answer)) return answer;
      const { ok: _, ...open } = answer;
      return { ...open, judged_by: "nobody" };
    }),
  };
}

function isGuess({ judged_by: judge, ok, said_computer: said }: Answer): boolean {
  return judge === "phrases" && ok === true && said !== true;
}
