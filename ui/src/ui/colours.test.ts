/** Checks the contrasts of the colours in styles.css, in both themes. A browser's axe checks where they are used, in one. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..");
const css = readFileSync(join(import.meta.dirname, "styles.css"), "utf8");

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

/** What a token is used for. Each new one needs a line here. */
const uses: Record<string, "text" | "ground" | "button" | "text on a button" | "edge" | "decoration"> = {
  ink: "text",
  muted: "text",
  primary: "text",
  "primary-strong": "text",
  danger: "text",
  page: "ground",
  surface: "ground",
  quiet: "ground",
  tint: "ground",
  "lamp-glow": "ground",
  "danger-glow": "ground",
  urgent: "ground",
  "on-primary": "text on a button",
  edge: "edge",
  line: "decoration",
  lamp: "decoration",
  flame: "decoration",
  "chart-0": "decoration",
  "chart-1": "decoration",
  "chart-2": "decoration",
  "chart-3": "decoration",
  "chart-4": "decoration",
};

const tokens = new Map(
  [
    ...css.matchAll(
      /--color-([\w-]+): (?:light-dark\((oklch\([^)]+\)), (oklch\([^)]+\))\)|(oklch\([^)]+\)));/gu,
    ),
  ].map(([, name = "", light, dark, both]) => [
    name,
    { light: light ?? both ?? "", dark: dark ?? both ?? "" },
  ]),
);

const named = (use: string) => Object.keys(uses).filter((name) => uses[name] === use);

/** The relative luminance of an `oklch` colour, by the matrices of CSS Color 4 and the formula of WCAG. */
function luminance(colour: string): number {
  const [lightness = NaN, chroma = NaN, degrees = NaN] = (colour.match(/[\d.]+/gu) ?? []).map(Number);
  const hue = (degrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short;
  const shown = [red, green, blue].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * (shown[0] ?? NaN) + 0.7152 * (shown[1] ?? NaN) + 0.0722 * (shown[2] ?? NaN);
}

function contrast(one: string, other: string, theme: Theme): number {
  const [dark = NaN, light = NaN] = [one, other]
    .map((name) => luminance(tokens.get(name)?.[theme] ?? ""))
    .sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

/** The pairs below a contrast. */
function tooFaint(ones: readonly string[], others: readonly string[], least: number, theme: Theme): string[] {
  return ones.flatMap((one) =>
    others.flatMap((other) => {
      const found = contrast(one, other, theme);
      return found >= least ? [] : [`${one} on ${other}: ${found.toFixed(2)}`];
    }),
  );
}

test("the contrast of black and white is 21", () => {
  expect((luminance("oklch(1 0 0)") + 0.05) / (luminance("oklch(0 0 0)") + 0.05)).toBeCloseTo(21);
});

test("the use of each colour is known", () => {
  expect([...tokens.keys()].toSorted()).toEqual(Object.keys(uses).toSorted());
});

describe.each(themes)("in the %s theme", (theme) => {
  test("each colour of text has a contrast of 4.5 to 1 on each ground", () => {
    expect(tooFaint(named("text"), named("ground"), 4.5, theme)).toEqual([]);
  });

  test("the text of a button has a contrast of 4.5 to 1, and so has a tooltip's", () => {
    expect(tooFaint(named("text on a button"), ["primary", "primary-strong"], 4.5, theme)).toEqual([]);
    expect(tooFaint(["page"], ["ink"], 4.5, theme)).toEqual([]);
  });

  test("the edge of a control has a contrast of 3 to 1 on each ground of a page, and so has the focus on most", () => {
    expect(tooFaint(named("edge"), ["page", "surface", "quiet", "lamp-glow"], 3, theme)).toEqual([]);
    expect(tooFaint(["lamp"], ["page", "surface"], 3, theme)).toEqual([]);
  });
});

test("no text has another colour, or a transparent one", () => {
  // An empty page's icon.
  const texts = new Set([...named("text"), ...named("text on a button"), "page", "edge"]);
  const found = globSync("**/*.tsx", { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), "utf8").matchAll(/(?<![\w-])text-([a-z0-9-]+(?:\/\d+)?)/gu)]
      .map(([, name = ""]) => name)
      .filter((name) => tokens.has(name.split("/")[0] ?? "") && !texts.has(name))
      .map((name) => `${file}: text-${name}`),
  );
  expect(found).toEqual([]);
});
