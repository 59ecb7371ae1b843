import type { ErrorTexts } from "../api/problem";

export const errorTexts = {
  metrics: { prefix: "Error loading the days: ", fallback: "An unknown error occurred." },
  load: {
    prefix: "Error loading summary: ",
    fallback: "An unknown error occurred while fetching the summary.",
  },
} satisfies ErrorTexts;
