import type { ErrorTexts } from "../api/problem";

export const errorTexts = {
  load: {
    prefix: "Error loading metrics: ",
    fallback: "An unknown error occurred while fetching the metrics.",
  },
} satisfies ErrorTexts;
