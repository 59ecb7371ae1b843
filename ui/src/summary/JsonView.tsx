import { memo, useEffect, useMemo, useRef, useState } from "react";

import { type Line, type Token, type TokenKind, linesOf, textOf } from "./json-lines";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";

/** How long it says that the text was copied. */
const SAID_MS = 3000;
/** From here on, lines don't stand further in: a phone is narrow. */
const DEEPEST = 6;

/** Quotes, colons and brackets tell the pieces apart; weight and colour only make them quicker to find. */
const looks: Record<TokenKind, string> = {
  key: "font-bold text-ink",
  string: "text-sage",
  number: "text-clay",
  literal: "text-primary",
  punctuation: "",
};

/** A value as formatted JSON: it wraps, each text reads in its own direction, and all of it can be copied. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const lines = useMemo(() => linesOf(value), [value]);
  const code = useRef<HTMLPreElement>(null);
  const { said, copy } = useCopy(code);
  return (
    <section aria-label={label}>
      <Card className="overflow-clip">
        <div className="flex items-center justify-end gap-3 border-b border-line py-1 pr-1.5 pl-4">
          <p role="status" className="text-sm text-muted">
            {said}
          </p>
          <Button look="quiet" onClick={() => void copy(textOf(lines))}>
            Copy
          </Button>
        </div>
        <pre
          ref={code}
          dir="ltr"
          className="px-4 py-4 font-mono text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere] sm:px-5"
        >
          <code>
            {lines.map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a line is its place
              <LineView key={index} line={line} />
            ))}
          </code>
        </pre>
      </Card>
    </section>
  );
}

/** What wraps stands a little further in than where its line began. */
const LineView = memo(({ line: { depth, tokens } }: { line: Line }) => {
  const inset = 2 * Math.min(depth, DEEPEST);
  return (
    <span className="block" style={{ paddingLeft: `${inset + 2}ch`, textIndent: `-${inset + 2}ch` }}>
      <span
        className="inline-block overflow-hidden align-bottom"
        style={{ width: `${inset}ch`, textIndent: 0 }}
      >
        {"  ".repeat(depth)}
      </span>
      {tokens.map((token, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a piece is its place
        <TokenView key={index} token={token} />
      ))}
      {"\n"}
    </span>
  );
});

function TokenView({ token: { kind, text } }: { token: Token }) {
  if (kind === "punctuation") return text;
  if (kind !== "key" && kind !== "string") return <span className={looks[kind]}>{text}</span>;
  return (
    <span className={looks[kind]}>
      &quot;<bdi>{text.slice(1, -1)}</bdi>&quot;
    </span>
  );
}

/** Copies a text; where the browser forbids it, selects what is shown so that the parent can. */
function useCopy(shown: React.RefObject<HTMLElement | null>) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      setSaid("Selected, ready to copy");
    }
  };
  return { said, copy };
}
