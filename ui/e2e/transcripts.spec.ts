import type { Page } from "@playwright/test";

import type { NewMessage } from "./assistant";
import { recordedConversation } from "./conversation";
import { type Family, anyWidth, expect, test, narrow } from "./fixtures";
import { NetworkGate, REFUSAL, REFUSED } from "./network-gate";

/** Opens a session from the list. On a wide screen it may be open already. */
async function openSession(page: Page, topic: string) {
  await page.getByRole("link", { name: topic }).click();
  await expect(page.getByRole("heading", { name: `Transcript: ${topic}` })).toBeVisible();
}

function bubbles(page: Page) {
  return page.getByRole("region", { name: "Messages" }).getByRole("listitem");
}

/** The maximum number of messages rendered outside the viewport, above and below. */
const BEYOND_SIGHT = 8;

/** Checks that messages fill the area, and that few are rendered outside of it. */
async function expectOnlyWhatIsInSight(page: Page) {
  await expect(async () => {
    const area = page.getByRole("region", { name: "Messages" });
    const { inSight, rendered } = await area.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const boxes = [...element.querySelectorAll("li")].map((item) => item.getBoundingClientRect());
      return {
        inSight: boxes.filter((box) => box.bottom > top && box.top < bottom).length,
        rendered: boxes.length,
      };
    });
    expect(inSight).toBeGreaterThan(3);
    expect(rendered).toBeLessThanOrEqual(inSight + BEYOND_SIGHT);
  }).toPass();
}

/** A rendered message: its side, its text, and whether it is marked as interrupted. */
interface Read {
  side: "left" | "right";
  text: string;
  interrupted: boolean;
}

/** The expected rendering of a message. */
function asRead({ source, text_content, interrupted }: NewMessage): Read {
  return {
    side: source === "assistant" ? "left" : "right",
    text: text_content ?? "",
    interrupted: interrupted ?? false,
  };
}

/** Reads the whole conversation while scrolling: each message once, in the order shown. */
async function readAll(page: Page): Promise<Read[]> {
  const area = page.getByRole("region", { name: "Messages" });
  await expect(bubbles(page).first()).toBeVisible();
  return area.evaluate(async (element) => {
    const read = new Map<string, Read>();
    const middle = element.getBoundingClientRect().left + element.clientWidth / 2;
    element.scrollTop = 0;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const message of element.querySelectorAll<HTMLElement>("[data-message]")) {
        const words = message.querySelector(".rounded-bubble [dir=auto]");
        const bubble = words?.parentElement?.getBoundingClientRect();
        read.set(message.dataset["message"] ?? "", {
          side: bubble !== undefined && (bubble.left + bubble.right) / 2 < middle ? "left" : "right",
          text: words?.firstChild?.textContent ?? "",
          interrupted: message.textContent.includes("Interrupted. The rest was not heard."),
        });
      }
      if (element.scrollTop + element.clientHeight >= element.scrollHeight - 1) break;
      element.scrollTop += element.clientHeight / 2;
    }
    return [...read.values()];
  });
}

test(
  "a transcript has the exact texts, and is updated live",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    const said = recordedConversation();
    const cut = said.findIndex(({ interrupted }) => interrupted === true);
    const [heard, half] = [said[cut], Math.floor(said.length / 2)];
    if (heard === undefined) throw new Error("Nobody was interrupted in the recording.");
    const whole = {
      ...heard,
      interrupted: false,
      text_content: `${heard.text_content} to the ground and planted a flag.`,
    };
    const name = `livekit-${child.id}`;
    await assistant.open(name, {
      child_id: child.id,
      topic: "Moon and stars",
      start_time: said[0]?.timestamp,
    });

    // In order, except that two messages are swapped and one is repeated.
    const [first, second, third, ...rest] = said.slice(0, half);
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("Too little was said.");
    for (const message of [first, third, second, second, ...rest]) await assistant.deliver(name, [message]);
    await signInAt("transcripts");
    await openSession(page, "Moon and stars");
    expect(await readAll(page)).toEqual(said.slice(0, half).map(asRead));
    await checkAccessibility();

    // The conversation continues. A message is delivered whole, then corrected to what was heard; a late retry has no effect.
    for (const message of said.slice(half)) {
      if (message === heard) {
        await assistant.deliver(name, [whole]);
        await assistant.deliver(name, [{ ...heard, revision: 1 }]);
        await assistant.deliver(name, [whole]);
      } else {
        await assistant.deliver(name, [message]);
      }
    }
    await assistant.complete(name, { duration: 47 });
    await expect.poll(() => readAll(page)).toEqual(said.map(asRead));
  },
);

test(
  "the assistant's bubbles are on the left, the child's on the right",
  narrow,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    await assistant.open("sides", { child_id: child.id, topic: "Sides" });
    await assistant.deliver("sides", [
      { message_id: "1", source: "child", text_content: "Hello?", timestamp: "2026-11-20T18:00:00Z" },
      {
        message_id: "2",
        source: "assistant",
        text_content: "Good evening!",
        timestamp: "2026-11-20T18:00:02Z",
      },
      { message_id: "3", timestamp: "2026-11-20T18:00:04Z" },
    ]);

    await signInAt("transcripts");
    await openSession(page, "Sides");

    const area = await page.getByRole("region", { name: "Messages" }).boundingBox();
    const child1 = await page.getByText("Hello?").boundingBox();
    const assistant1 = await page.getByText("Good evening!").boundingBox();
    if (area === null || child1 === null || assistant1 === null)
      throw new Error("Something is not in sight.");
    const middle = area.x + area.width / 2;
    expect(child1.x).toBeGreaterThan(middle);
    expect(assistant1.x).toBeLessThan(middle);
    await expect(bubbles(page).last()).toContainText("unknown");
  },
);

test(
  "a long conversation can be read to the end, a page at a time, and only visible ones are rendered",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    const start = Date.parse("2026-11-20T18:00:00Z");
    const messages = Array.from({ length: 1200 }, (_, index) => ({
      message_id: String(index),
      source: index % 2 === 0 ? "child" : "assistant",
      text_content: `Sentence ${index + 1}`,
      timestamp: new Date(start + index * 1000).toISOString(),
    }));
    await assistant.open("long", { child_id: child.id, topic: "A long day" });
    for (let sent = 0; sent < messages.length; sent += 600) {
      await assistant.deliver("long", messages.slice(sent, sent + 600));
    }
    await assistant.complete("long", { duration: 1200 });

    await signInAt("transcripts");
    await openSession(page, "A long day");
    await expect(bubbles(page).first()).toContainText("Sentence 1");
    await expectOnlyWhatIsInSight(page);
    const area = page.getByRole("region", { name: "Messages" });
    await expect(async () => {
      await area.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect(bubbles(page).last()).toContainText("Sentence 1200", { timeout: 100 });
    }).toPass({ intervals: [50] });
    await expectOnlyWhatIsInSight(page);
  },
);

test(
  "the header of a transcript scrolls away with its messages",
  anyWidth,
  async ({ page, family: { assistant, child }, signInAt }) => {
    await assistant.open("header", { child_id: child.id, topic: "A long day" });
    await assistant.deliver(
      "header",
      Array.from({ length: 90 }, (_, index) => ({
        message_id: String(index),
        source: "child",
        text_content: `Sentence ${index + 1}`,
        timestamp: new Date(Date.parse("2026-11-20T18:00:00Z") + index * 1000).toISOString(),
      })),
    );
    await signInAt("transcripts");
    await openSession(page, "A long day");
    const heading = page.getByRole("heading", { name: "Transcript: A long day" });
    await expect(heading).toBeInViewport();

    await bubbles(page).first().hover();
    await page.mouse.wheel(0, 1200);
    await expect(heading).not.toBeInViewport();
    await expect(page.getByRole("button", { name: "Jump to the end" })).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "Jump to the end" }).click();
    await expect(bubbles(page).getByText("Sentence 90", { exact: true })).toBeInViewport({ ratio: 1 });
  },
);

test(
  "a run of short requests unfolds, and one that wasn't the child's is marked and unmarked",
  anyWidth,
  async ({ page, family: { assistant, child }, signInAt, checkAccessibility }) => {
    for (const topic of ["Lights", "Timer", "Weather"]) {
      await assistant.deliverMessage(child.id, topic, `${topic}, please`);
      await assistant.complete(topic, { duration: 5 });
    }
    await signInAt("transcripts");
    const fold = page.getByRole("button", { name: /^3 short requests/u });
    await expect(fold).toHaveAttribute("aria-expanded", "false");
    await expect(page.getByRole("link", { name: /^Timer/u })).toHaveCount(0);
    await checkAccessibility();
    await fold.click();
    await openSession(page, "Timer");

    await page.getByRole("button", { name: "More actions" }).click();
    await checkAccessibility();
    await page.getByRole("menuitem", { name: "This wasn't Mia" }).click();
    await expect(page.getByRole("status").filter({ hasText: "This wasn't Mia" })).toBeVisible();
    await checkAccessibility();
    await page.reload();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("This wasn't Mia.")).toHaveCount(0);
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menuitem", { name: "This wasn't Mia" })).toBeVisible();
  },
);

test(
  "on a phone the page shows the list until a session is tapped, and a link returns to it",
  narrow,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    for (const topic of ["Bees", "Kites"]) await assistant.deliverMessage(child.id, topic, `About ${topic}`);
    await signInAt("transcripts");
    await expect(page.getByRole("link", { name: "Bees" })).toBeVisible();
    await expect(page.getByText("About Bees")).toBeHidden();

    // The whole row is the link.
    const row = page.getByRole("listitem").filter({ hasText: "Bees" });
    const { width = 0, height = 0 } = (await row.boundingBox()) ?? {};
    await row.tap({ position: { x: width - 4, y: height - 4 } });
    await expect(page.getByText("About Bees")).toBeVisible();
    await expect(page.getByRole("link", { name: "Kites" })).toBeHidden();
    await expect(page.getByRole("heading", { name: "Transcript: Bees" })).toBeFocused();

    await page.getByRole("button", { name: "Back to the conversations" }).tap();
    await expect(page.getByRole("link", { name: "Bees" })).toBeFocused();
    await expect(page.getByText("About Bees")).toBeHidden();
  },
);

test(
  "on a phone, a loading error is shown in the visible half",
  narrow,
  async ({ page, family, signIn, consoleGuard }) => {
    consoleGuard.expect(REFUSED);
    const session = await family.assistant.deliverMessage(family.child.id, "Bees", "Buzz?");
    await signIn(family.email);
    const gate = new NetworkGate(page);
    const open = () => page.goto(`/child/${family.child.id}/transcripts?session=${session}`);

    await gate.refuse(/\/api\/sessions/u, [400, "request_invalid"]);
    await open();
    await expect(page.getByRole("alert").filter({ visible: true })).toContainText(REFUSAL);

    await gate.refuse(/\/api\/sessions\?/u);
    await open();
    await expect(page.getByRole("heading", { name: "Transcript: Bees" })).toBeVisible();
    await expect(page.getByText("Buzz?")).toBeVisible();
  },
);

test(
  "a whole transcript is printed, black on white, with its speakers and without the app's controls",
  anyWidth,
  async ({ page, family, signIn }) => {
    const { assistant, child } = family;
    await assistant.open("paper", { child_id: child.id, topic: "On paper" });
    await assistant.deliver(
      "paper",
      Array.from({ length: 150 }, (_, index) => ({
        message_id: String(index),
        source: index % 2 === 0 ? "child" : "assistant",
        text_content: `Sentence ${index + 1}`,
        timestamp: new Date(Date.parse("2026-11-20T18:00:00Z") + index * 1000).toISOString(),
      })),
    );
    await signIn(family.email);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`/child/${child.id}/transcripts`);
    await openSession(page, "On paper");
    // The browser's print dialog would wait for input.
    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event("beforeprint"));
    });

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Print" }).click();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });

    const paper = page.getByRole("article");
    await expect(paper.getByRole("heading", { name: "Transcript: On paper" })).toBeVisible();
    await expect(paper.getByText(/^Sentence \d+$/u)).toHaveCount(150);
    await expect(paper.getByText("assistant", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("navigation")).toBeHidden();
    await expect(page.getByRole("button")).toBeHidden();
    expect(
      await page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor];
      }),
    ).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  },
);

test(
  "the list of sessions is 12 rem wide beside the transcript, 16 rem from 1024 px, at least 20 rem from 1100 px",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await family.assistant.open("wide", { child_id: family.child.id, topic: "Wide" });
    await signInAt("transcripts");
    const list = page.getByRole("region", { name: "Conversations" });

    await page.setViewportSize({ width: 1100, height: 800 });
    await expect.poll(async () => (await list.boundingBox())?.width).toBe(320);
    await page.setViewportSize({ width: 1920, height: 1000 });
    await expect.poll(async () => Math.round((await list.boundingBox())?.width ?? 0)).toBe(336);
    await page.setViewportSize({ width: 1024, height: 800 });
    await expect.poll(async () => (await list.boundingBox())?.width).toBe(256);
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect.poll(async () => (await list.boundingBox())?.width).toBe(192);
  },
);

/** Delivers a session with one message a second. */
async function deliverLong(family: Family, topic: string, count: number) {
  const { assistant, child } = family;
  const start = Date.parse("2026-11-20T18:00:00Z");
  const session = await assistant.open(topic.replaceAll(" ", "-"), { child_id: child.id, topic });
  const messages = Array.from({ length: count }, (_, index) => ({
    message_id: String(index),
    source: index % 2 === 0 ? "child" : "assistant",
    text_content: `Sentence ${index + 1}`,
    timestamp: new Date(start + index * 1000).toISOString(),
  }));
  await assistant.deliver(topic.replaceAll(" ", "-"), messages);
  return session;
}

test(
  "a long conversation has a button to its end, even before its later pages are loaded",
  narrow,
  async ({ page, family, signInAt }) => {
    await deliverLong(family, "A long day", 450);
    await signInAt("transcripts");
    await openSession(page, "A long day");
    const toTheEnd = page.getByRole("button", { name: "Jump to the end" });

    await toTheEnd.click();

    await expect(page.getByText("Sentence 450")).toBeInViewport();
    await expect(toTheEnd).toBeHidden();
  },
);

test(
  "on a phone a session that can't be loaded has a link back to the list",
  narrow,
  async ({ page, family, signInAt, consoleGuard }) => {
    consoleGuard.expect(/status of 503|RequestFailed/u);
    await family.assistant.deliverMessage(family.child.id, "Bees", "Buzz?");
    await page.route(/\/api\/sessions\/\d+$/u, (route) =>
      route.fulfill({ status: 503, json: { detail: "Not now." } }),
    );
    await signInAt("transcripts?session=999999");
    await expect(page.getByRole("alert")).toHaveText("Error loading transcript: Not now.");

    await page.getByRole("button", { name: "Back to the conversations" }).tap();

    await expect(page.getByRole("link", { name: "Bees" })).toBeVisible();
  },
);

test(
  "from the selected session the conversation is at most three tab stops away",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    for (let index = 1; index <= 12; index += 1)
      await assistant.deliverMessage(child.id, `Kites-${index}`, "Why do kites fly?");
    // Only a scrollable conversation is a tab stop.
    await signInAt(`transcripts?session=${await deliverLong(family, "Kites again", 60)}`);
    const selected = page.getByRole("link", { name: /^Kites/u }).and(page.locator("[aria-current]"));
    const messages = page.getByRole("region", { name: "Messages" });
    await expect.poll(() => messages.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true);
    await selected.focus();

    const focused = messages.and(page.locator(":focus"));
    for (let tabs = 0; tabs < 3 && !(await focused.isVisible()); tabs += 1) await page.keyboard.press("Tab");

    await expect(focused).toBeVisible();
  },
);

function border(element: Element): string {
  const { borderTopWidth, borderTopStyle } = getComputedStyle(element);
  return `${borderTopWidth} ${borderTopStyle}`;
}

test(
  "with forced colours the selected session and both sides of a conversation are distinguishable",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await family.assistant.deliverMessage(family.child.id, "Kites", "Why do kites fly?");
    await deliverLong(family, "Bees", 2);
    await page.emulateMedia({ forcedColors: "active" });
    await signInAt("transcripts");
    const links = page.getByRole("region", { name: "Conversations" }).getByRole("listitem").getByRole("link");
    await expect(links).toHaveCount(2);
    const borders = await Promise.all((await links.all()).map(async (link) => link.evaluate(border)));
    expect(new Set(borders).size).toBe(2);

    await openSession(page, "Bees");
    const child = await page.getByText("Sentence 1").locator("..").evaluate(border);
    const assistant = await page.getByText("Sentence 2").locator("..").evaluate(border);
    expect(child).not.toMatch(/^0px/u);
    expect(assistant).not.toMatch(/^0px/u);
    expect(child).not.toBe(assistant);
  },
);

test(
  "a topic of 200 characters is one line, in full in the menu, and one in Arabic is aligned right",
  narrow,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    const start_time = "2026-11-20T18:00:00Z";
    await assistant.open("ar", { child_id: child.id, topic: "القمر والنجوم", start_time });
    await assistant.open("long", { child_id: child.id, topic: `${"wide ".repeat(39)}open.` });
    await signInAt("transcripts");
    const arabic = page.getByRole("link", { name: "القمر والنجوم" });
    const lefts = await arabic.evaluate((link) =>
      [...link.children].slice(0, 2).map((line) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        return Math.round(range.getClientRects()[0]?.left ?? 0);
      }),
    );
    expect(lefts[0]).toBe(lefts[1]);

    await page.getByRole("link", { name: /^wide/u }).click();
    const heading = page.getByRole("heading", { name: /^Transcript: wide/u });
    await expect(heading).toBeVisible();
    const lines = await heading.evaluate(
      (element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(lines).toBeLessThan(2);
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(page.getByText(/^wide .*open\.$/u).last()).toBeVisible();
  },
);

test(
  "an open transcript shows at once that messages could not be stored",
  narrow,
  async ({ page, family: { assistant, child, email }, signInAt, checkAccessibility }) => {
    const topic = `Moon-${child.id}`;
    const session = await assistant.deliverMessage(child.id, topic, "Why does the moon follow us?");
    await signInAt(`transcripts?session=${session}`);
    await expect(page.getByText("Why does the moon follow us?")).toBeVisible();

    const usedTwice = ["And the sun?", "And the stars?"].map((text_content) => ({
      message_id: "1",
      source: "child",
      text_content,
    }));
    for (let delivery = 0; delivery < 2; delivery += 1) await assistant.deliver(topic, usedTwice);

    const sentence = page.getByText("messages are missing");
    await expect(sentence).toHaveText(`2 messages are missing. Buddy of ${email} sent them incorrectly.`);
    await expect(sentence).toBeInViewport({ ratio: 1 });
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond).toBeLessThanOrEqual(0);
    await checkAccessibility();
  },
);
