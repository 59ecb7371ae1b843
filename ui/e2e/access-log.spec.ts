import { testWithClock } from "./clock-fixture";
import { expect, signInByCommand, anyWidth } from "./fixtures";
import { clockLibrary } from "./server-clock";

const DAY = 24 * 60 * 60;

const test = testWithClock();

test.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

test(
  "another guardian sees the week of a read and the day of a copy, and nothing of a glance",
  anyWidth,
  async ({ page, family, porchlight, clock, signInAt, anotherBrowser, checkAccessibility }) => {
    const other = `kim-${family.email}`;
    await porchlight.command("guardian", "add", other, "--name", "Kim");
    await porchlight.command("child", "link", String(family.child.id), "--guardian", other);
    await family.assistant.deliverMessage(family.child.id, "Moon", "Why is the moon round?");

    // The newest conversation opens by itself on a wide screen.
    await signInAt("transcripts");
    const moon = page.getByRole("link", { name: /^Moon/u });
    await expect(moon).toBeVisible();
    await page.goto(`/child/${family.child.id}/settings/people`);
    const looked = page.getByRole("region", { name: "Who looked" });
    await expect(looked.getByText("You have not read here before today.")).toBeVisible();
    await expect(looked.getByText("Kim has not read here before today.")).toBeVisible();

    await page.goto(`/child/${family.child.id}/transcripts`);
    // The words may be visible already, because the conversation opened by itself.
    const read = page.waitForResponse((response) => /\/messages\?(?!.*glance)/u.test(response.url()));
    await moon.click();
    await read;
    await expect(page.getByText("Why is the moon round?")).toBeVisible();
    await page.goto(`/child/${family.child.id}/settings/people`);
    await expect(looked.getByText(/^You last read on \w+ \d+\.$/u)).toBeVisible();
    await checkAccessibility();

    const kim = async () => {
      const tab = await anotherBrowser();
      await signInByCommand(tab.context(), porchlight, other);
      await tab.goto(`/child/${family.child.id}/settings/people`);
      return { tab, looked: tab.getByRole("region", { name: "Who looked" }) };
    };
    const today = await kim();
    await expect(today.looked.getByText("Robin Keller has not read here before today.")).toBeVisible();
    await porchlight.print("export", "--child", String(family.child.id));
    // The tokens of open pages end when the clock is advanced.
    await page.close();
    await today.tab.close();
    await clock.advance(DAY);
    const { looked: theirs } = await kim();

    await expect(theirs.getByText(/^Robin Keller read on 1 day (?:this|last) week\.$/u)).toBeVisible();
    const administrator = theirs.getByText(/^The person who set up this server took a copy on \w+ \d+\./u);
    await expect(administrator).toBeVisible();
    await expect(
      theirs.getByText("Whoever runs this server can copy its files. That doesn't show here."),
    ).toBeVisible();
  },
);
