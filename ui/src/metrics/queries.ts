import type { ErrorTexts } from "../api/problem";

export const errorTexts = {
  load: {
    prefix: "Error loading metrics: ",
  },
} satisfies ErrorTexts;
