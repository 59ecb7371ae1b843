import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useRef } from "react";

import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";
import { ScrollArea } from "../ui/ScrollArea";

/** A value as formatted JSON. It can be copied. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const json = formattedJson(value);
  const shown = useRef<HTMLPreElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <section aria-label={label}>
      <div className="flex max-h-60 flex-col overflow-clip rounded-surface border border-line bg-surface">
        <div className="flex items-center justify-end gap-3 border-b border-line py-1 pe-1.5 ps-4">
          <p role="status" className="text-sm text-muted">
            {announcement}
          </p>
          <Button look="quiet" onClick={() => void copy()}>
            <Trans>Copy</Trans>
          </Button>
        </div>
        <ScrollArea label={t`JSON`} className="min-h-0">
          <pre
            ref={shown}
            dir="ltr"
            className="px-4 py-4 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere] sm:px-5"
          >
            {withIsolatedTexts(json)}
          </pre>
        </ScrollArea>
      </div>
    </section>
  );
}

/** Characters that change the direction of text are written as JSON's own escapes. */
function formattedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

/** Wraps the text of each string in `<bdi>`: else an Arabic key and its Arabic value would change places. */
function withIsolatedTexts(json: string) {
  return json.split(/("(?:[^"\\]|\\.)*")/u).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- strings have no other identity than their place
      <span key={index}>
        &quot;<bdi>{part.slice(1, -1)}</bdi>&quot;
      </span>
    ),
  );
}
