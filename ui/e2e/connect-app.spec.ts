import { once } from "node:events";
import { type Server, createServer } from "node:http";

import { canaries } from "./canaries";
import { expect, test, narrow } from "./fixtures";

const QUESTION = "Why do owls turn their heads?";
const ANSWER = "Their eyes can't move, so the whole head does.";

/** A model's server that gives one answer. Returns its URL and the bodies of the chat requests. */
async function startModel(): Promise<{ server: Server; url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on("data", (part: Buffer) => body.push(part));
    request.on("end", () => {
      requests.push(Buffer.concat(body).toString());
      const message = { role: "assistant", content: ANSWER };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "owl", choices }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { server, url: `http://127.0.0.1:${address.port}`, requests };
}

test(
  "a parent connects an app with an address, a key and a model's name, and sees its first words",
  narrow,
  async ({ page, porchlight, family, addChild, signInAt, checkAccessibility }) => {
    const model = await startModel();
    const host = new URL(model.url).host;
    const upstream = `scripted-${family.child.id}`;
    // A second one, so that the page asks which.
    for (const name of [upstream, `other-${upstream}`]) {
      await porchlight.command("upstream", "add", name, "--url", `${model.url}/v1`, "--model", "owl");
    }
    await addChild("Noah");
    const look = async () => {
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond).toBeLessThanOrEqual(0);
      await checkAccessibility();
    };

    // The page names the host before the key is made.
    await signInAt("settings/assistants");
    const people = page.getByRole("main");
    await people.getByRole("link", { name: "Connect an assistant" }).click();
    await expect(
      people.getByRole("heading", { name: `What does ${family.child.name} talk to?` }),
    ).toBeFocused();
    await look();
    await people.getByRole("link", { name: "Open WebUI or another app" }).click();
    await people.getByRole("radio", { name: "Several children with one key" }).check();
    await people.getByRole("checkbox", { name: "Noah" }).check();
    await look();
    await people.getByRole("button", { name: "Go on" }).click();
    await people.getByRole("radio", { name: upstream, exact: true }).check();
    await look();
    await people.getByRole("button", { name: "Go on" }).click();
    await expect(people.getByRole("textbox", { name: "Name, for example Kitchen" })).toBeFocused();
    await page.keyboard.type("Chat");
    await expect(people.getByText(`Conversations are sent to ${host}, with your rules`)).toBeVisible();
    await look();
    // The way back keeps what was answered.
    await people.getByRole("link", { name: "Back" }).click();
    await expect(people.getByRole("radio", { name: upstream, exact: true })).toBeChecked();
    await people.getByRole("button", { name: "Go on" }).click();
    await expect(people.getByRole("textbox")).toHaveValue("Chat");
    await people.getByRole("button", { name: "Connect", exact: true }).click();

    // What is pasted into the app.
    await expect(people.getByRole("heading", { name: "Three steps to connect it" })).toBeFocused();
    const key = (await people.getByText(/^ast_/u).textContent()) ?? "no key";
    canaries.note(key);
    const codes = people.locator("code:visible");
    await expect(codes.filter({ hasText: `owl@${family.child.name}` })).toBeVisible();
    const address = (await codes.filter({ hasText: "/gateway/v1" }).textContent()) ?? "no address";
    await expect(people.getByText("Waiting for the first word…")).toBeVisible();
    await look();
    await people.getByRole("button", { name: "I've saved the key" }).click();
    await expect(people.getByText(key)).toHaveCount(0);

    // The app talks.
    const chat = {
      model: `owl@${family.child.name}`,
      messages: [{ role: "user", content: QUESTION }],
    };
    canaries.note(QUESTION);
    const answered = await fetch(`${porchlight.url}${new URL(address).pathname}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chat),
    });
    expect(await answered.text()).toContain(ANSWER);
    expect(answered.status).toBe(200);
    expect(JSON.parse(model.requests[0] ?? "{}")).toMatchObject({
      model: "owl",
      messages: [{ role: "system" }, {}],
    });
    await expect(people.getByText("Chat was heard ✓")).toBeVisible();
    await look();

    // The conversation, the list of assistants, and the list's followers.
    await people.getByRole("link", { name: "Read what was said" }).click();
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(messages.getByText(QUESTION)).toBeVisible();
    await expect(messages.getByText(ANSWER)).toBeVisible();
    await page.goto(`/child/${family.child.id}/settings/assistants`);
    await expect(people.getByText(`Conversations are sent to ${host}, with`)).toBeVisible();
    await people.getByText("What to paste into the app").click();
    await look();
    await page.goto(`/child/${family.child.id}/topic-blocklist`);
    const reports = page.getByRole("region", { name: "Who has this list?" });
    await expect(reports.getByRole("listitem").last()).toHaveText(/^Chat Added by Porchlight since /u);

    // Another server, with the other one's host shown before.
    await page.goto(`/child/${family.child.id}/settings`);
    await expect(page.getByText("You · Chose the model's server of an assistant")).toBeVisible();
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Assistants/u })
      .click();
    await people.getByRole("button", { name: "Options for Chat" }).click();
    await page.getByRole("menuitem", { name: "Change the model's server" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the model's server" });
    await look();
    await dialog.getByRole("combobox").selectOption("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(people.getByText(`Conversations are sent to ${host}, with`)).toHaveCount(0);
    for (const name of [upstream, `other-${upstream}`]) await porchlight.command("upstream", "remove", name);
    model.server.close();
  },
);
