/** What a translation must have in common with its sentence. Messages are in ICU's format. */
import { compileMessage } from "@lingui/message-utils/compileMessage";

type Token = string | readonly [name: string, format?: string, options?: unknown];

/** The placeholders and tags of a message: `name`, `count:plural`, `<0>`. Those of one plural form count for the whole. */
function placeholders(message: string): Set<string> {
  const found = new Set<string>();
  const walk = (tokens: unknown) => {
    if (typeof tokens === "string") {
      for (const [tag] of tokens.matchAll(/<\/?\d+\/?>/gu)) found.add(tag);
    } else if (Array.isArray(tokens)) {
      for (const token of tokens as readonly Token[]) {
        if (typeof token === "string") walk(token);
        else {
          const [name, format, options] = token;
          found.add(format === undefined ? name : `${name}:${format}`);
          if (typeof options === "object" && options !== null) Object.values(options).forEach(walk);
        }
      }
    }
  };
  walk(compileMessage(message));
  return found;
}

function isWithoutOther(tokens: unknown): boolean {
  if (!Array.isArray(tokens)) return false;
  return (tokens as readonly Token[]).some((token) => {
    if (typeof token === "string") return false;
    const [, format = "", options] = token;
    if (!["plural", "select", "selectordinal"].includes(format)) return false;
    if (typeof options !== "object" || options === null) return true;
    return !("other" in options) || Object.values(options).some(isWithoutOther);
  });
}

/** Whether a plural or a choice of the message has no `other`. */
export function lacksOther(message: string): boolean {
  return isWithoutOther(compileMessage(message));
}

/** Whether a translation has other placeholders than its sentence. */
export function differsInPlaceholders(message: string, translation: string): boolean {
  const [before, after] = [placeholders(message), placeholders(translation)];
  return [...before].some((each) => !after.has(each)) || [...after].some((each) => !before.has(each));
}
