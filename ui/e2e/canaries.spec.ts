import { Canaries, canaries } from "./canaries";
import { anyWidth, expect, test } from "./fixtures";

const LINK = `lnk_${"aZ_-".repeat(10)}123`;

test("private texts are found however they are logged", anyWidth, () => {
  const printed = [
    'INFO guardian="robin.keller@example.com"',
    "DEBUG opened /login?email=robin.keller%40example.com",
    "TRACE put [77, 105, 97]",
    String.raw`DEBUG said "Why do \"kites\" fly?"`,
    `DEBUG at ${LINK}`,
  ];
  const planted = new Canaries();
  planted.note([{ email: "robin.keller@example.com", name: "Mia", text_content: 'Why do "kites" fly?' }]);
  planted.noteSecretsIn(`Open http://127.0.0.1:1/finish-sign-in#token=${LINK}.`);

  for (const line of printed) {
    planted.hear(`INFO before\n${line}\nINFO after\n`);
    expect(planted.leaks(), line).toEqual([expect.stringContaining(` in: ${line}`)]);
  }
  expect(planted.leaks(), "each line is held against it once").toEqual([]);
});

test("what is not private may be logged", anyWidth, () => {
  const planted = new Canaries();
  planted.note({ name: "Mia", message_id: "first", timestamp: "2026-11-20T18:00:00Z", count: 7 });
  planted.note({ topic: "Go" });

  planted.hear("INFO Miau first 2026-11-20T18:00:00Z Go 177, 105, 970\n");

  expect(planted.leaks()).toEqual([]);
});

test("the server logs at its most verbose level, and its log is captured", anyWidth, async ({ page }) => {
  await page.goto("/login");

  await expect.poll(() => canaries.heard).toMatch(/ DEBUG porchlight::server/u);
});
