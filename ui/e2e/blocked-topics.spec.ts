import type { Page } from "@playwright/test";

import { ConsoleGuard, anyWidth, expect, signInByCommand, test, narrow } from "./fixtures";

const MANDATORY = "Promotion of Illegal Activities";
const TOOLTIP = "This topic is always blocked for safety and cannot be removed.";
const NO_OWN = "No topics are currently blocked (besides mandatory safety filters).";

function input(page: Page) {
  return page.getByRole("textbox", { name: "A topic of your own" });
}

function ownTopics(page: Page) {
  return page.getByRole("list", { name: "Your own topics" }).getByRole("listitem");
}

async function add(page: Page, topic: string) {
  await input(page).fill(topic);
  await input(page).press("Enter");
  await expect(page.getByText("Saving changes...")).toBeHidden();
}

/** The page's identity token, for requests by the test. */
async function bearerOf(page: Page): Promise<string> {
  const asked = page.waitForRequest((request) => request.url().endsWith("/blocked_topics"));
  await page.reload();
  return (await asked).headers()["authorization"] ?? "";
}

test(
  "a parent blocks topics, and the assistant reads them at once",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    await signInAt("topic-blocklist");
    await expect(page.getByText(NO_OWN)).toBeVisible();
    await expect(page.getByText("This list is private to you as a parent")).toContainText(
      "Mia is not notified when a topic is blocked.",
    );
    await checkAccessibility();

    await add(page, "  Horror films ");
    await page.getByRole("button", { name: "Substance Abuse and Addiction" }).click();
    await expect(page.getByText("Saved.")).toBeAttached();

    await expect(ownTopics(page)).toHaveText(["Horror films", "Substance Abuse and Addiction"]);
    await expect(ownTopics(page).last()).toBeInViewport();
    await expect(
      page.getByRole("button", { name: "Substance Abuse and Addiction", exact: true }),
    ).toBeHidden();
    await checkAccessibility();
    const avoided = await assistant.blockedTopics(child.id);
    expect(avoided.custom).toEqual(["Horror films", "Substance Abuse and Addiction"]);
    expect(avoided.topics).toHaveLength(9);
    expect(avoided.instructions).toContain('"Horror films"');

    await page.getByRole("button", { name: "Remove Horror films" }).click();
    await expect(ownTopics(page)).toHaveText(["Substance Abuse and Addiction"]);
    await expect(page.getByText("Saved.")).toBeAttached();
    expect((await assistant.blockedTopics(child.id)).custom).toEqual(["Substance Abuse and Addiction"]);

    await page.reload();
    await expect(ownTopics(page)).toHaveText(["Substance Abuse and Addiction"]);
  },
);

test("the tooltip of a mandatory topic opens on hover and touch anywhere on its chip, and on focus, and stays within the window", async ({
  page,
  signInAt,
  isMobile,
  checkAccessibility,
}) => {
  await signInAt("topic-blocklist");
  const topic = page.getByText(MANDATORY, { exact: true });
  const tooltip = page.getByRole("tooltip");
  await expect(page.getByRole("button", { name: `Remove ${MANDATORY}` })).toHaveAccessibleDescription(
    TOOLTIP,
  );

  if (isMobile) await topic.tap();
  else await topic.hover();
  await expect(tooltip).toHaveText(TOOLTIP);
  await expect(tooltip).toBeInViewport({ ratio: 1 });
  if (!isMobile) await checkAccessibility();

  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
  await page.getByRole("button", { name: "Remove Violence, Hate, and Harassment" }).focus();
  await expect(tooltip).toBeInViewport({ ratio: 1 });
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(beyond).toBe(0);
});

test(
  "two parents edit concurrently, and no change is lost",
  anyWidth,
  async ({ page, browser, family, signInAt, porchlight, consoleGuard }) => {
    consoleGuard.expect(/status of 412/u);
    const { child, assistant } = family;
    const partner = `partner-of-${family.email}`;
    await porchlight.command("guardian", "add", partner);
    await porchlight.command("child", "link", String(child.id), "--guardian", partner);
    const elsewhere = await browser.newContext();
    const otherGuard = new ConsoleGuard();
    otherGuard.expect(/status of 412/u);
    elsewhere.on("page", (opened) => otherGuard.watch(opened, porchlight.url));
    const other = await elsewhere.newPage();
    await signInByCommand(elsewhere, porchlight, partner);

    await signInAt("topic-blocklist");
    await other.goto(`${porchlight.url}/child/${child.id}/topic-blocklist`);
    for (const parent of [page, other]) {
      await expect(parent.getByText("You share this with the child's other guardian")).toBeVisible();
    }
    await add(page, "Ghosts");
    await expect(page.getByText("Saved.")).toBeAttached();
    await add(other, "Money");

    await expect(ownTopics(other)).toHaveText(["Ghosts", "Money"]);
    await expect(other.getByText("Saved.")).toBeAttached();
    await page.getByRole("button", { name: "Remove Ghosts" }).click();
    await expect(ownTopics(page)).toHaveText(["Money"]);
    await expect(page.getByText("Saved.")).toBeAttached();
    expect((await assistant.blockedTopics(child.id)).custom).toEqual(["Money"]);
    otherGuard.verify();
    await elsewhere.close();
  },
);

test("the list can be edited with the keyboard alone", anyWidth, async ({ page, signInAt }) => {
  await signInAt("topic-blocklist");
  await input(page).focus();

  await page.keyboard.type("Ghosts");
  await page.keyboard.press("Enter");
  await expect(ownTopics(page)).toHaveText(["Ghosts"]);
  await expect(input(page)).toBeFocused();
  await expect(page.getByText("Saved.")).toBeAttached();
  await page.keyboard.type("Money");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(ownTopics(page)).toHaveText(["Ghosts", "Money"]);
  await expect(page.getByText("Saved.")).toBeAttached();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: 'Alert me if "Money" is said' })).toBeFocused();
  // Past the seven mandatory topics, whose tooltips open on the way.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tooltip")).toHaveText(TOOLTIP);
  for (let step = 0; step < 7; step += 1) await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Remove Ghosts" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove Money" })).toBeFocused();
  await expect(page.getByText("Saved.")).toBeAttached();

  await page.keyboard.press("Tab");
  await expect(page.locator("summary", { hasText: "How do we know?" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Try your rules" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(ownTopics(page)).toHaveText(["Money", "Detailed Sex Education and Reproductive Biology"]);
  await expect(page.getByRole("button", { name: "Evolution and Origin-of-Life Theories" })).toBeFocused();
});

async function blockMany(page: Page, childId: number, porchlight: { url: string }, count: number) {
  const bearer = await bearerOf(page);
  const topics = Array.from({ length: count }, (_, index) => `Topic number ${index + 1}`);
  const answer = await fetch(`${porchlight.url}/api/child/${childId}/blocked_topics`, {
    method: "PUT",
    headers: { Authorization: bearer, "Content-Type": "application/json" },
    body: JSON.stringify(topics),
  });
  expect(answer.ok).toBe(true);
  await page.reload();
  await expect(ownTopics(page)).toHaveCount(count);
}

test("after a topic is added to a long list, it and the input are visible, also above an on-screen keyboard", async ({
  page,
  family,
  porchlight,
  signInAt,
  isMobile,
}) => {
  await signInAt("topic-blocklist");
  await blockMany(page, family.child.id, porchlight, 60);
  await input(page).fill("Ghosts");
  // A phone's keyboard leaves this much of the window to the page.
  if (isMobile) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setVisibleSize", { width: 390, height: 508 }).catch(() => {});
    await page.evaluate(() => Object.defineProperty(window, "visualViewport", { value: { height: 508 } }));
  }

  await input(page).press("Enter");
  await expect(page.getByText("Saved.")).toBeAttached();

  const end = isMobile ? 508 : 800;
  for (const thing of [input(page), page.getByText("Ghosts", { exact: true })]) {
    const box = await thing.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? end) + (box?.height ?? 0)).toBeLessThanOrEqual(end);
  }
});

test("the block list prints its topics and no controls", anyWidth, async ({ page, signInAt }) => {
  await signInAt("topic-blocklist");
  await add(page, "Ghosts");
  await page.emulateMedia({ media: "print" });

  await expect(page.getByText("Ghosts", { exact: true })).toBeVisible();
  await expect(page.getByText(MANDATORY, { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox")).toBeHidden();
  await expect(page.getByText("Example Topics to Block")).toBeHidden();
});

test(
  "with forced colours mandatory topics, own topics and suggestions are distinguishable",
  anyWidth,
  async ({ page, signInAt }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await signInAt("topic-blocklist");
    await add(page, "Ghosts");
    await add(page, "Money");
    const borderAround = async (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => {
        const chip = element.closest("button") ?? element.parentElement ?? element;
        const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(chip);
        return `${borderTopWidth} ${borderTopStyle} ${borderTopColor}`;
      });

    const borders = await Promise.all([MANDATORY, "Ghosts", "Money"].map(async (text) => borderAround(text)));
    expect(borders[0]).toContain("dashed");
    expect(borders[1]).toContain("1px solid");
    expect(borders[2]).toContain("2px solid");
    expect(await borderAround("Substance Abuse and Addiction")).toContain("1px solid");
  },
);

test(
  "after a change the page shows which assistants follow the old list and which the new one",
  anyWidth,
  async ({ page, family: { assistant, child, email }, signInAt, checkAccessibility }) => {
    const name = `Buddy of ${email}`;
    const reports = page.getByRole("region", { name: "Who has this list?" }).getByRole("listitem");
    await signInAt("topic-blocklist");
    await expect(reports).toHaveText([`${name} Needs attention doesn't have it yet`]);

    const { version } = await assistant.rules(child.id);
    await assistant.open("Bees", { child_id: child.id, rules: [{ version, evidence: "in_prompt" }] });
    await page.reload();
    await expect(reports).toHaveText([new RegExp(`^${name} Uses your list since`, "u")]);
    await checkAccessibility();

    await add(page, "Horror films");
    await expect(reports).toHaveText([new RegExp(`^${name} Gets the change when it next connects$`, "u")]);
    await expect(page.getByText("Uses your list")).toBeHidden();
    // From the top: the sticky header may cover part of a button in a scrolled page.
    await page.reload();
    await expect(reports.getByText("Gets the change when it next connects")).toBeVisible();
    await checkAccessibility();

    // The assistant adopts the new list, without stating its evidence.
    const taken = await assistant.rules(child.id);
    await assistant.open("Bees", { rules: [{ version: taken.version, evidence: "set" }] });
    await expect(reports).toHaveText([
      new RegExp(`^${name} Says it follows this list since \\S+ \\S+$`, "u"),
    ]);
    await assistant.open("Bees", {
      rules: [{ version: taken.version, evidence: "set", refused: "too long for its model" }],
    });
    await page.reload();
    await expect(reports).toHaveText([
      `${name} Needs attention couldn't take your list: too long for its model`,
    ]);
  },
);
