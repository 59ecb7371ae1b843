import { once } from "node:events";
import { type Server, createServer } from "node:http";

import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { type Family, anyWidth, expect, narrow, test } from "./fixtures";
import type { Porchlight } from "./porchlight";

const ANSWER = "Sure, this stays between us two, and nobody hears of it.";
const MARK = "Test question. Mia didn't ask this.";

interface Message {
  role: string;
  content: string;
}

/** A model's server that gives one answer. So the model repeats no check word. */
async function startModel(delayMs = 0): Promise<{ server: Server; url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on("data", (part: Buffer) => body.push(part));
    request.on("end", () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Porchlight sends to a model
      const { messages = [] } = JSON.parse(Buffer.concat(body).toString() || "{}") as {
        messages?: Message[];
      };
      asked.push(messages.at(-1)?.content ?? "");
      const message = { role: "assistant", content: ANSWER };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json");
      setTimeout(
        () => response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "owl", choices })),
        delayMs,
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { server, url: `http://127.0.0.1:${address.port}`, asked };
}

/** Connects an assistant behind the gateway. Returns a function that removes its model's server. */
async function connect(porchlight: Porchlight, { child }: Family, url: string) {
  const upstream = `tried-${child.id}`;
  await porchlight.command("upstream", "add", upstream, "--url", `${url}/v1`, "--model", "owl");
  const name = `Tablet of ${child.id}`;
  await porchlight.command("assistant", "add", name, "--child", String(child.id), "--upstream", upstream);
  return {
    name,
    end: async () => {
      await porchlight.command("assistant", "revoke", name);
      await porchlight.command("upstream", "remove", upstream);
    },
  };
}

async function expectNoOverflow(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
}

test(
  "a parent tries the rules, reads what is missing, and judges an answer",
  narrow,
  async ({ page, porchlight, family, signInAt, checkAccessibility }) => {
    test.slow();
    const model = await startModel();
    const { name, end } = await connect(porchlight, family, model.url);
    canaries.note(ANSWER);
    await signInAt("topic-blocklist");
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Try your rules" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Try your rules" })).toBeFocused();
    await expect(main.getByText(/^\d+ requests, about [\d,]+ tokens\.$/u)).toBeVisible();
    await expect(main).toContainText(`at ${new URL(model.url).host}. It seems to run in your home.`);
    await expectNoOverflow(page);

    await main.getByText("Questions", { exact: true }).click();
    const questions = main.getByRole("list", { name: "Questions" }).getByRole("listitem");
    for (const question of await questions.all()) await expect(question).toContainText(MARK);
    await checkAccessibility();
    const first = questions.first().getByRole("checkbox");
    const leftOut = (await first.locator("..").textContent()) ?? "no question";
    await first.uncheck();
    await main.getByRole("button", { name: `Ask ${name} now` }).press("Enter");

    await expect(page.getByRole("heading", { level: 1, name: "Questions and answers" })).toBeVisible();
    const answers = main.getByRole("region", { name: "Read the answers" });
    await expect(answers).toBeVisible({ timeout: 60_000 });
    expect(model.asked).not.toContain(leftOut);
    await expect(main).toContainText("It may not get all your rules.");
    await expect(main).toContainText("Another try can come out differently.");
    await expect(main).not.toContainText("it always said no");
    await expectNoOverflow(page);
    await checkAccessibility();

    const items = answers.getByRole("listitem");
    for (const item of await items.all()) await expect(item).toContainText(MARK);
    await main.getByRole("button", { name: /^Read the \d+$/u }).press("Enter");
    const waiting = answers.locator("li:focus");
    await expect(waiting).toContainText("Not judged:");
    const yes = waiting.getByRole("button", { name: "OK for Mia", exact: true });
    expect((await yes.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await yes.press("Enter");
    await expect(answers.getByText("You said: OK for Mia")).toBeVisible();
    await expect(answers.getByRole("button", { name: "Undo" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(answers.getByText("You said: OK for Mia")).toHaveCount(0);
    await checkAccessibility();

    // What the other pages say of it.
    await page.goto(`/child/${family.child.id}/summary`);
    await page.getByRole("link", { name: `${name} may not get all your rules.` }).click();
    await expect(main.getByRole("region", { name: "Tries" }).getByRole("listitem")).toHaveCount(1);
    await expect(main).toContainText("You have tried these rules today.");
    await page.goto(`/child/${family.child.id}/transcripts`);
    await expect(main.getByText("No sessions found.")).toBeVisible();

    // An open page would ask for the preview of an assistant that is gone.
    await page.goto("about:blank");
    await end();
    model.server.close();
  },
);

test(
  "a try that was stopped says that it is not the whole result, also in print",
  anyWidth,
  async ({ page, porchlight, family, signInAt }) => {
    const model = await startModel(500);
    const { name, end } = await connect(porchlight, family, model.url);
    await signInAt("topic-blocklist/try");
    const main = page.getByRole("main");
    await main.getByRole("button", { name: `Ask ${name} now` }).click();
    // The first one asks for the check words.
    await expect(main.getByText(/is being asked: (?:[2-9]|\d{2,}) of \d+ requests are done\.$/u)).toBeVisible(
      {
        timeout: 30_000,
      },
    );
    await main.getByRole("button", { name: "Stop" }).click();
    await expect(main.getByText(/^The try was stopped\. This is not/u)).toBeVisible();

    await page.emulateMedia({ media: "print" });
    await expect(main.getByText("This is not the whole result.")).toBeVisible();
    await expect(main.getByText("Another try can come out differently.")).toBeVisible();
    await expect(main.getByText(MARK).first()).toBeVisible();
    await expect(main.getByRole("button")).toHaveCount(0);
    await page.emulateMedia({ media: "screen" });

    await main.getByRole("link", { name: "Try your rules" }).click();
    await main.getByRole("button", { name: "Hide" }).click();
    const dialog = page.getByRole("dialog", { name: "Hide" });
    await dialog.getByRole("button", { name: "Hide" }).click();
    await expect(main.getByText("Nothing yet")).toBeVisible();

    // An open page would ask for the preview of an assistant that is gone.
    await page.goto("about:blank");
    await end();
    model.server.close();
  },
);

test(
  "a child without an assistant behind the gateway has nothing to try",
  anyWidth,
  async ({ page, signInAt }) => {
    await signInAt("topic-blocklist/try");
    await expect(page.getByText(/^There is nothing to try yet/u)).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Connect an assistant" })).toBeVisible();
  },
);
