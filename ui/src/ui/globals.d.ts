declare module "*.po" {
  import type { Messages } from "@lingui/core";

  export const messages: Messages;
}

/** The codes of the languages in `lingui.config.ts`, which `vite.config.ts` defines. */
declare const LANGUAGES: readonly string[];
