import { Canaries, canaries } from "./canaries";
import { anyWidth, expect, test } from "./fixtures";

const LINK = `lnk_${"aZ_-".repeat(10)}123`;

test("private texts are found in every log format", anyWidth, () => {
  const printed = [
    'INFO guardian="robin.keller@example.com"',
    "DEBUG opened /login?email=robin.keller%40example.com",
    "TRACE put [77, 105, 97]",
    String.raw`DEBUG said "Why do \"kites\" fly?"`,
    `DEBUG at ${LINK}`,
  ];
  const own = new Canaries();
  own.note([{ email: "robin.keller@example.com", name: "Mia", text_content: 'Why do "kites" fly?' }]);
  own.noteSecretsIn(`Open http://127.0.0.1:1/finish-sign-in#token=${LINK}.`);

  for (const line of printed) {
    own.capture(`INFO before\n${line}\nINFO after\n`);
    expect(own.leaks(), line).toEqual([expect.stringContaining(` in: ${line}`)]);
  }
  expect(own.leaks(), "each line is held against it once").toEqual([]);
});

test("what is not private may be logged", anyWidth, () => {
  const own = new Canaries();
  own.note({ name: "Mia", message_id: "first", timestamp: "2026-11-20T18:00:00Z", count: 7 });
  own.note({ topic: "Go" });

  own.capture("INFO Miau first 2026-11-20T18:00:00Z Go 177, 105, 970\n");

  expect(own.leaks()).toEqual([]);
});

test("the server logs at its most verbose level, and its log is captured", anyWidth, async ({ page }) => {
  await page.goto("/login");

  await expect.poll(() => canaries.captured).toMatch(/ DEBUG porchlight::server/u);
});
