import { useQuery } from "@tanstack/react-query";

import { useGetCurious } from "../api/generated/client/summary/summary";

/** The questions and what shows them: its code is loaded only if there are any. Nothing is `null`. */
export function useSomethingToTalkAbout(childId: number) {
  const curious = useGetCurious(childId);
  const questions = curious.data?.data.questions ?? [];
  const code = useQuery({
    queryKey: ["something-to-talk-about"],
    queryFn: async () => (await import("./SomethingToTalkAbout")).SomethingToTalkAbout,
    enabled: questions.length > 0,
    staleTime: Infinity,
    retry: false,
  });
  const isAnswered = curious.data !== undefined || curious.errorUpdatedAt > 0;
  const isCodeThere = questions.length === 0 || code.data !== undefined || code.errorUpdatedAt > 0;
  return {
    isSettled: isAnswered && isCodeThere,
    questions,
    Shown: questions.length > 0 ? (code.data ?? null) : null,
  };
}
