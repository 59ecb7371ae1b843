import { canaries } from "./canaries";
import { anyWidth, expect, test } from "./fixtures";

test("the server logs at its most verbose level, and its log is captured", anyWidth, async ({ page }) => {
  await page.goto("/login");

  await expect.poll(() => canaries.captured).toMatch(/ DEBUG porchlight::server/u);
});
