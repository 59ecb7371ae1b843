/**
 * Two languages that show what isn't translated or has no room: 'accented', 40 % longer than English, and 'mirrored', from right
 * to left. They are made of the English messages, for `vite --mode fake` and `e2e` alone.
 */
import type { Messages } from "@lingui/core";

export const testLanguages = {
  accented: { code: "en-XA", direction: "ltr", write: accent },
  mirrored: { code: "en-XB", direction: "rtl", write: mirror },
} as const;

export type TestLanguage = keyof typeof testLanguages;

export function isTestLanguage(name: string | null): name is TestLanguage {
  return name !== null && Object.hasOwn(testLanguages, name);
}

/** The compiled messages of a catalogue in a test language. */
export function inTestLanguage(language: TestLanguage, messages: Messages): Messages {
  const { write } = testLanguages[language];
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape stays
      return [id, rewritten(message, write) as Messages[string]];
    }),
  );
}

/** A message is a text, or a list of texts and placeholders: `["count", "plural", { other: ["#", " days"] }]`. */
function rewritten(message: unknown, write: (text: string) => string): unknown {
  if (typeof message === "string") return writtenAroundTags(message, write);
  if (!Array.isArray(message)) return message;
  return message.flatMap((token: unknown) => {
    if (!Array.isArray(token)) return [rewritten(token, write)];
    const [name, format, options] = token as unknown[];
    // A value is isolated, so that its direction doesn't depend on what is beside it.
    if (typeof options !== "object" || options === null) return ["\u2068", token, "\u2069"];
    const forms = Object.entries(options).map(([form, words]) => [form, rewritten(words, write)]);
    return [[name, format, Object.fromEntries(forms)]];
  });
}

function writtenAroundTags(text: string, write: (text: string) => string): string {
  return text
    .split(/(?<tag><\/?\d+\/?>)/u)
    .map((part) => (/^<.*>$/u.test(part) || !/\p{L}/u.test(part) ? part : write(part)))
    .join("");
}

const PLAIN = "AEIOUYaeiouycdghjklnrstwzCDGHJKLNRSTWZ";
const ACCENTED = "ÅÉÎÖÛÝåéîöûýçđĝĥĵķļñŕšťŵžÇĐĜĤĴĶĻÑŔŠŤŴŽ";

/** Every vowel is there twice, so that words are longer, and not only lines. */
function accent(text: string): string {
  const letters = Array.from(text, (letter) => {
    const accented = ACCENTED.at(PLAIN.indexOf(letter)) ?? letter;
    return PLAIN.includes(letter) ? (/[aeiouy]/u.test(letter) ? accented + accented : accented) : letter;
  });
  const long = letters.join("");
  const missing = Math.ceil(text.trim().length * 1.4) - long.trim().length;
  return missing > 0 ? long.replace(/\s*$/u, (end) => "~".repeat(missing) + end) : long;
}

function mirror(text: string): string {
  return `\u202E${text}\u202C`;
}

/** What a formatted date or list has of the language, and not of its values. */
const LANGUAGE_PARTS: ReadonlySet<string> = new Set([
  "month",
  "weekday",
  "dayPeriod",
  "era",
  "literal",
  "timeZoneName",
]);

interface Part {
  type: string;
  value: string;
}

function accentedParts(parts: readonly Part[]): Part[] {
  return parts.map(({ type, value }) => ({ type, value: LANGUAGE_PARTS.has(type) ? accent(value) : value }));
}

function accentParts(parts: readonly Part[]): string {
  return accentedParts(parts)
    .map(({ value }) => value)
    .join("");
}

function isAccented(locales: unknown): boolean {
  return [locales].flat()[0] === testLanguages.accented.code;
}

/** From now on, `Intl` accents the dates and lists that are asked for in the accented language, which no browser knows. */
export function accentIntl(): void {
  const DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(Format, [locales, options]: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      const format = new Format(locales, options);
      if (!isAccented(locales)) return format;
      const partsOf = format.formatToParts.bind(format);
      return Object.defineProperties(format, {
        format: { value: (date?: Date) => accentParts(partsOf(date)) },
        formatToParts: { value: (date?: Date) => accentedParts(partsOf(date)) },
        formatRange: { value: (from: Date, to: Date) => accentParts(format.formatRangeToParts(from, to)) },
      });
    },
  });
  const ListFormat = new Proxy(Intl.ListFormat, {
    construct(Format, [locales, options]: ConstructorParameters<typeof Intl.ListFormat>) {
      const format = new Format(locales, options);
      if (!isAccented(locales)) return format;
      return Object.defineProperty(format, "format", {
        value: (list: Iterable<string>) => accentParts(format.formatToParts(list)),
      });
    },
  });
  Object.assign(Intl, { DateTimeFormat, ListFormat });
}
