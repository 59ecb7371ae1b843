/** What a piece of JSON is, and with it how it is set. */
export type TokenKind = "key" | "string" | "number" | "literal" | "punctuation";

export interface Token {
  kind: TokenKind;
  text: string;
}

/** One line of formatted JSON: how deep it stands, and what stands there. */
export interface Line {
  depth: number;
  tokens: readonly Token[];
}

/** Formats a value as JSON does with an indentation of two, a line at a time and each piece named. */
export function linesOf(value: unknown): Line[] {
  const lines: Line[] = [];
  write(value, 0, [], [], lines);
  return lines;
}

/** The lines as text: JSON that a program can read. */
export function textOf(lines: readonly Line[]): string {
  return lines
    .map(({ depth, tokens }) => "  ".repeat(depth) + tokens.map(({ text }) => text).join(""))
    .join("\n");
}

/** Nothing that would be worth a look: no value, or one without content. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Writes a value after what already stands on its line (`before`), and what follows it (`after`). */
function write(value: unknown, depth: number, before: Token[], after: Token[], lines: Line[]): void {
  if (typeof value !== "object" || value === null) {
    lines.push({ depth, tokens: [...before, scalar(value), ...after] });
    return;
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length === 0) {
    lines.push({ depth, tokens: [...before, punctuation(open + close), ...after] });
    return;
  }
  lines.push({ depth, tokens: [...before, punctuation(open)] });
  for (const [index, [name, item]] of entries.entries()) {
    const named: Token[] = Array.isArray(value)
      ? []
      : [{ kind: "key", text: quoted(name) }, punctuation(": ")];
    write(item, depth + 1, named, index < entries.length - 1 ? [punctuation(",")] : [], lines);
  }
  lines.push({ depth, tokens: [punctuation(close), ...after] });
}

function scalar(value: unknown): Token {
  if (typeof value === "string") return { kind: "string", text: quoted(value) };
  return { kind: typeof value === "number" ? "number" : "literal", text: JSON.stringify(value) };
}

function punctuation(text: string): Token {
  return { kind: "punctuation", text };
}

/** A string of JSON. The invisible characters that turn a text's direction are written as JSON's own escapes. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
