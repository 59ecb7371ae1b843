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
  const told = new Canaries();
  told.note([{ email: "robin.keller@example.com", name: "Mia", text_content: 'Why do "kites" fly?' }]);
  told.noteSecretsIn(`Open http://127.0.0.1:1/finish-sign-in#token=${LINK}.`);

  for (const line of printed) {
    told.hear(`INFO before\n${line}\nINFO after\n`);
    expect(told.leaks(), line).toEqual([expect.stringContaining(` in: ${line}`)]);
  }
  expect(told.leaks(), "each line is held against it once").toEqual([]);
});

test("what is not private may be logged", anyWidth, () => {
  const told = new Canaries();
  told.note({ name: "Mia", message_id: "first", timestamp: "2026-11-20T18:00:00Z", count: 7 });
  told.note({ topic: "Go" });

  told.hear("INFO Miau first 2026-11-20T18:00:00Z Go 177, 105, 970\n");

  expect(told.leaks()).toEqual([]);
});

test("the server logs at its most verbose level, and its log is captured", anyWidth, async ({ page }) => {
  await page.goto("/login");

  await expect.poll(() => canaries.heard).toMatch(/ DEBUG porchlight::server/u);
});
