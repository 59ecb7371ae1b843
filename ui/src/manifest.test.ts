import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import manifest from "../public/manifest.webmanifest?raw";
import { startPage } from "./paths";

const publicFolder = join(import.meta.dirname, "../public");
const pictures = join(import.meta.dirname, "../../docs/pictures");

interface Picture {
  src: string;
  sizes: string;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests fail if it isn't so
const { icons, screenshots, shortcuts } = JSON.parse(manifest) as {
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { url: string }[];
};

test("the manifest's pictures are there, and have the sizes that it says", () => {
  for (const { src, sizes } of [...icons, ...screenshots].filter(({ sizes: said }) => said !== "any")) {
    const image = readFileSync(join(publicFolder, src));
    expect(`${src}: ${image.readUInt32BE(16)}x${image.readUInt32BE(20)}`).toBe(`${src}: ${sizes}`);
  }
  expect(existsSync(join(publicFolder, "favicon.svg"))).toBe(true);
});

test("its screenshots are the documents' pictures. If not, run `make pictures`", () => {
  expect(screenshots.length).toBeGreaterThan(1);
  for (const { src } of screenshots) {
    const [own, other] = [join(publicFolder, src), join(pictures, src.replace("/screenshots/", ""))].map(
      (path) => readFileSync(path).toString("base64"),
    );
    expect(`${src}: ${own === other}`).toBe(`${src}: true`);
  }
});

test("its shortcuts lead to pages of the child that was looked at last", () => {
  const pages = shortcuts.map(({ url }) => startPage(new URL(url, "http://127.0.0.1").search, 7));

  expect(pages).toEqual(["/child/7/alerts", "/child/7/transcripts"]);
  expect(startPage("?page=../../api", 7)).toBe("/child/7/summary");
  expect(startPage("", 7)).toBe("/child/7/summary");
});
