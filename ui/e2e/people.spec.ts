import { Assistant } from "./assistant";
import { canaries } from "./canaries";
import { expect, test, anyWidth } from "./fixtures";

test(
  "a parent adds a child, connects an assistant that delivers, gives it a new key and revokes it",
  anyWidth,
  async ({ page, porchlight, family, signInAt, checkAccessibility }) => {
    await signInAt("settings");
    const people = page.getByRole("main");
    await people.getByRole("button", { name: "Add a child" }).click();
    await page.keyboard.type("Noah");
    await page.keyboard.press("Enter");
    await expect(people.getByText("Added Noah.")).toBeVisible();

    // Create a key for Mia only.
    await people.getByRole("link", { name: /^Assistants/u }).click();
    await people.getByRole("link", { name: "Connect an assistant" }).click();
    await people.getByRole("link", { name: "A home-made speaker" }).click();
    await checkAccessibility();
    await people.getByRole("link", { name: "Pipecat" }).click();
    await expect(people.getByRole("checkbox", { name: "Noah" })).not.toBeChecked();
    await checkAccessibility();
    await people.getByRole("button", { name: "Go on" }).click();
    await people.getByRole("textbox", { name: "Name, for example Kitchen" }).fill("Attic");
    await people.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(people.getByRole("heading", { name: "Three steps to connect it" })).toBeFocused();
    const key = (await people.getByText(/^ast_/u).textContent()) ?? "no key";
    canaries.note(key);
    const downloading = page.waitForEvent("download");
    await people.getByRole("link", { name: "Download the plug-in" }).click();
    expect((await downloading).suggestedFilename()).toBe("porchlight_pipecat.py");
    await checkAccessibility();
    await people.getByRole("button", { name: "I've saved the key" }).click();
    await expect(people.getByText(key)).toHaveCount(0);

    // The assistant delivers, and the conversation appears.
    const attic = new Assistant(porchlight.url, key);
    await attic.deliverMessage(family.child.id, "Kites", "Why do kites fly?");
    await page.getByRole("link", { name: "Transcripts" }).click();
    await page.getByRole("link", { name: /^Kites/u }).click();
    await expect(page.getByText("Why do kites fly?")).toBeVisible();
    await page.goto(`/child/${family.child.id}/settings/assistants`);

    // A new key invalidates the old one.
    await people.getByRole("button", { name: "Options for Attic" }).click();
    await page.getByRole("menuitem", { name: "Make a new key" }).click();
    const dialog = page.getByRole("dialog", { name: "Make a new key: Attic" });
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Make a new key" }).click();
    const next = (await people.getByText(/^ast_/u).textContent()) ?? "no key";
    canaries.note(next);
    await expect(attic.deliverMessage(family.child.id, "Boats", "Why do boats float?")).rejects.toThrow();
    const renewed = new Assistant(porchlight.url, next);
    await renewed.deliverMessage(family.child.id, "Boats", "Why do boats float?");

    // Revoke the assistant.
    await people.getByRole("button", { name: "Options for Attic" }).click();
    await page.getByRole("menuitem", { name: "Disconnect" }).click();
    await page
      .getByRole("dialog", { name: "Disconnect: Attic" })
      .getByRole("button", { name: "Disconnect" })
      .click();
    await expect(people.getByText("Attic", { exact: true })).toHaveCount(0);
    await expect(renewed.deliverMessage(family.child.id, "Kites", "And now?")).rejects.toThrow();
    await people.getByRole("link", { name: "App Settings" }).click();
    const changes = page.getByRole("region", { name: "Changes" });
    await expect(changes.getByText("You · Disconnected an assistant")).toBeVisible();
    await expect(changes.getByText("You · Connected an assistant")).toBeVisible();
  },
);

test(
  "another guardian sees who connected an assistant, and removes the child from it",
  anyWidth,
  async ({ page, porchlight, family, signInAt, anotherBrowser }) => {
    const ben = `ben-${family.child.id}@example.com`;
    await porchlight.command("guardian", "add", ben, "--name", "Ben");
    await porchlight.command("child", "add", "Tom", "--guardian", ben);
    await porchlight.command("child", "link", String(family.child.id), "--guardian", ben);
    const others = await anotherBrowser();
    const link = await porchlight.print("sign-in-link", ben);
    await others.goto(link);
    await others.getByRole("textbox").fill(ben);
    await others.keyboard.press("Enter");
    await expect(others.getByRole("heading", { name: /^Summary for/u })).toBeVisible();
    await others.goto(`/child/${family.child.id}/settings/assistants`);
    const theirs = others.getByRole("main");
    await theirs.getByRole("link", { name: "Connect an assistant" }).click();
    await theirs.getByRole("link", { name: "Home Assistant" }).click();
    await theirs.getByRole("checkbox", { name: "Tom" }).check();
    await theirs.getByRole("button", { name: "Go on" }).click();
    await theirs.getByRole("textbox", { name: "Name, for example Kitchen" }).fill("Car");
    await theirs.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(theirs.getByRole("heading", { name: "Three steps to connect it" })).toBeVisible();
    canaries.note((await theirs.getByText(/^ast_/u).textContent()) ?? "no key");

    await signInAt("settings");
    await expect(page.getByText(`You and Ben see ${family.child.name}'s data`)).toBeVisible();
    await expect(page.getByText("Ben · Connected an assistant")).toBeVisible();
    const people = page.getByRole("main");
    await people.getByRole("link", { name: /^Assistants/u }).click();
    await expect(people.getByText(/and with a child that is not yours/u)).toBeVisible();
    await people.getByRole("button", { name: "Options for Car" }).click();
    await expect(page.getByRole("menuitem")).toHaveCount(1);
    await page.getByRole("menuitem", { name: /^Remove/u }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Remove/u })
      .click();
    await expect(people.getByText("Car", { exact: true })).toHaveCount(0);
  },
);
