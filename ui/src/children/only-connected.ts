import { t } from "@lingui/core/macro";

/** Where no assistant is connected. */
export function onlyConnected(): string {
  return t`Porchlight sees only assistants connected here. It can't see the ChatGPT app.`;
}
