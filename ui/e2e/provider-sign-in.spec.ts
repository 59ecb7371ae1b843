import type { Page } from "@playwright/test";

import { anyWidth, expect, test as base } from "./fixtures";
import { IdentityProvider, PROVIDER_NAME } from "./identity-provider";
import { Porchlight } from "./porchlight";

interface Fixtures {
  /** The login name of the family's guardian at the provider. */
  login: string;
}

interface WorkerFixtures {
  provider: IdentityProvider;
}

const test = base.extend<Fixtures, WorkerFixtures>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const provider = new IdentityProvider();
      await provider.reserve();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],

  porchlight: [
    async ({ postOffice, provider }, use) => {
      const porchlight = await Porchlight.start(await postOffice.open(), { options: provider.options });
      await provider.start(porchlight.url);
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],

  login: async ({ provider, family, consoleGuard }, use) => {
    provider.announce(consoleGuard);
    await use(provider.addAccount({ email: family.email, email_verified: true }));
    provider.misbehaviour = null;
  },
});

const FAILED = "That didn't work. Please try again.";

/** Presses the button on /login. */
async function goToProvider(page: Page): Promise<void> {
  await page.getByRole("link", { name: `Sign in with ${PROVIDER_NAME}` }).click();
}

/** Types a name on the provider's own page. Any password will do there. */
async function logInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

async function consent(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
}

/** From /login through the provider's pages and back. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await goToProvider(page);
  await logInThere(page, login);
  await consent(page);
}

/** Nobody is signed in, and /login says why in words. */
async function expectRefusal(page: Page, sentence: string): Promise<void> {
  await expect(page.getByRole("alert")).toHaveText(sentence);
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveURL("/login");
}

/** The app writes a failure to the console, too. */
function onConsole(sentence: string): RegExp {
  return new RegExp(`^error: Error: ${sentence.replaceAll(".", String.raw`\.`)}`, "u");
}

test(
  "signing in with an account at the provider opens the requested page",
  anyWidth,
  async ({ page, family, login, checkAccessibility }) => {
    await page.goto(`/child/${family.child.id}/transcripts`);
    await expect(page.getByRole("link", { name: `Sign in with ${PROVIDER_NAME}` })).toBeVisible();
    await checkAccessibility();
    await goToProvider(page);
    await logInThere(page, login);
    await consent(page);

    await expect(page).toHaveURL(`/child/${family.child.id}/transcripts`);
    await expect(page.getByRole("heading", { name: `Transcripts for ${family.child.name}` })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: `Transcripts for ${family.child.name}` })).toBeVisible();
  },
);

test(
  "downloading a child's data requires step-up at the provider",
  anyWidth,
  async ({ page, family, login, consoleGuard, checkAccessibility }) => {
    consoleGuard.expect(/status of 403/u);
    consoleGuard.expect(/^error: RequestFailed/u);
    await signInThere(page, login);
    const copy = page.getByRole("button", { name: `Download ${family.child.name}'s data` });
    await copy.click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("button", { name: `Sign in with ${PROVIDER_NAME}` }).click();
    await checkAccessibility();
    await dialog.getByRole("link", { name: `Go to ${PROVIDER_NAME}` }).click();

    // It asks again, although one is signed in there.
    await logInThere(page, login);
    await expect(page.getByText("You have confirmed that it is you.")).toBeVisible();
    await expect(page).toHaveURL("/you");
    await checkAccessibility();
    await page.getByRole("link", { name: "Back" }).click();
    const downloading = page.waitForEvent("download");
    await copy.click();
    await downloading;
  },
);

test(
  "declining at the provider shows an error, and nobody is signed in",
  anyWidth,
  async ({ page, login, consoleGuard, checkAccessibility }) => {
    const sentence = "You did not allow it, so nothing was shared.";
    consoleGuard.expect(onConsole(sentence));
    await page.goto("/login");
    await goToProvider(page);
    await logInThere(page, login);
    await page.getByRole("link", { name: "[ Cancel ]" }).click();

    await expect(page.getByRole("alert")).toHaveText(sentence);
    await checkAccessibility();
    await expectRefusal(page, sentence);
  },
);

test(
  "a provider that answers wrongly signs nobody in, and a later attempt succeeds",
  anyWidth,
  async ({ page, anotherBrowser, provider, family, login, consoleGuard }) => {
    consoleGuard.expect(onConsole(FAILED));
    for (const misbehaviour of ["wrong nonce", "spent code", "down for codes"] as const) {
      const other = await anotherBrowser();
      provider.misbehaviour = misbehaviour;
      await signInThere(other, login);
      await expectRefusal(other, FAILED);
      await other.close();
    }
    provider.misbehaviour = null;
    provider.changeKey({ published: false });
    await signInThere(page, login);
    await expectRefusal(page, FAILED);

    provider.changeKey({ published: true });
    await signInThere(page, login);
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
  },
);
test(
  "a sign-in that starts under another host name returns to the public one",
  anyWidth,
  async ({ anotherBrowser, porchlight, family, login, consoleGuard }) => {
    consoleGuard.expect(new RegExp(`request to another origin: ${porchlight.url}/`, "u"));
    const page = await anotherBrowser(porchlight.url.replace("127.0.0.1", "localhost"));

    await signInThere(page, login);

    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    expect(page.url()).toBe(`${porchlight.url}/child/${family.child.id}/summary`);
  },
);
