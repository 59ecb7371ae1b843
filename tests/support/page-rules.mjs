/** The page's rules for topics, asked line by line: `tests/rules_agree.rs` compares them with the server's. */
import { registerHooks } from "node:module";

// The bundler replaces Lingui's macros. Here a message is its English text.
const MACROS = `
  const text = (value) => (typeof value === "object" ? Object.values(value)[0] : value);
  export const t = (parts, ...values) =>
    parts.reduce((before, part, index) => before + text(values[index - 1]) + part);
  export const msg = (parts) => ({ id: parts.join() });
`;
const macros = {
  url: `data:text/javascript,${encodeURIComponent(MACROS)}`,
  shortCircuit: true,
};

// The UI's modules name each other without `.ts`, which its bundler adds.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@lingui/core/macro"
      ? macros
      : next(
          /^\.{1,2}\/(?:.*\/)?[^./]+$/u.test(specifier)
            ? `${specifier}.ts`
            : specifier,
          context,
        ),
});
const { foldCase, refusalToAdd } =
  await import("../../ui/src/blocked-topics/rules.ts");
const { lengthOf } = await import("../../ui/src/format/length.ts");

function answerTo(line) {
  const { typed, own } = JSON.parse(line);
  const topic = typed.trim();
  return {
    topic,
    length: lengthOf(topic),
    caseless: foldCase(topic),
    refusal: topic === "" ? null : (refusalToAdd(topic, own)?.sentence ?? null),
    known: !/\p{Unassigned}/u.test(typed),
  };
}

// By hand: Node's own reader of lines takes U+2028 for the end of one, too.
let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines)
    process.stdout.write(`${JSON.stringify(answerTo(line))}\n`);
}
