/** The main user journeys, for browsers other than Chromium. */
import { randomUUID } from "node:crypto";

import { test as base, expect } from "@playwright/test";

import type { OtherBrowser } from "./browser";
import { Visitor } from "./visitor";
import { Assistant } from "../assistant";
import { Porchlight } from "../porchlight";
import { PostOffice, linkIn } from "../post-office";

interface Home {
  porchlight: Porchlight;
  postOffice: PostOffice;
}

interface Family {
  email: string;
  childId: number;
  assistant: Assistant;
  /** Opens a tab of a browser in which nobody is signed in. */
  visit: () => Promise<Visitor>;
  /** Opens a tab and signs in with the link of an e-mail, at this page of the child's. */
  signIn: (section: string) => Promise<Visitor>;
}

/** Replaces all present and future texts by `<font>` elements, as translators do. */
const TRANSLATE = `(() => {
  const translateAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement.closest("font, script") !== null) continue;
      const font = document.createElement("font");
      font.append(text.data);
      text.replaceWith(font);
    }
  };
  new MutationObserver(() => setTimeout(translateAll)).observe(document.body, { subtree: true, childList: true });
  translateAll();
})()`;

/** Runs the journeys in one browser. */
export function describeJourneys(start: () => Promise<OtherBrowser>): void {
  const test = base.extend<{ family: Family }, { home: Home; browserUnderTest: OtherBrowser }>({
    home: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
      async ({}, use) => {
        const postOffice = new PostOffice();
        const porchlight = await Porchlight.start(await postOffice.open());
        await use({ porchlight, postOffice });
        await porchlight.stop();
        await postOffice.close();
      },
      { scope: "worker" },
    ],

    browserUnderTest: [
      // oxlint-disable-next-line no-empty-pattern -- see above
      async ({}, use) => {
        const browser = await start();
        await use(browser);
        await browser.stop();
      },
      { scope: "worker" },
    ],

    family: async ({ home: { porchlight, postOffice }, browserUnderTest }, use) => {
      const email = `parent-${randomUUID()}@example.com`;
      await porchlight.command("guardian", "add", email, "--name", "Robin");
      const child = await porchlight.command("child", "add", "Mia", "--guardian", email);
      const childId = Number(Reflect.get(Object(child), "child_id"));
      const added = await porchlight.command(
        "assistant",
        "add",
        `Buddy of ${email}`,
        "--child",
        String(childId),
      );
      const tabs: (() => Promise<void>)[] = [];
      const visit = async () => {
        const tab = await browserUnderTest.openTab();
        tabs.push(tab.close);
        return new Visitor(tab);
      };
      await use({
        email,
        childId,
        assistant: new Assistant(porchlight.url, String(Reflect.get(Object(added), "key"))),
        visit,
        signIn: async (section) => {
          const parent = await visit();
          await parent.goto(`${porchlight.url}/child/${childId}/${section}`);
          await parent.fill(/Email/u, email);
          await parent.pressEnter();
          await parent.sees(/Check your inbox/u);
          await parent.goto(linkIn(await postOffice.emailTo(email)));
          await parent.holds(`location.pathname === "/child/${childId}/${section}"`);
          return parent;
        },
      });
      for (const close of tabs) await close();
    },
  });

  test("signing in by an email leads to the page that was asked for", async ({ family }) => {
    const parent = await family.signIn("metrics");
    await parent.sees(/Metrics Page/u);
  });

  test("a link opened in another browser asks for the address, also after a reload", async ({
    family,
    home,
  }) => {
    const { url } = home.porchlight;
    const asked = await fetch(`${url}/api/auth/link`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: url },
      body: JSON.stringify({ email: family.email }),
    });
    expect(asked.ok).toBe(true);
    const link = linkIn(await home.postOffice.emailTo(family.email));
    const parent = await family.visit();
    await parent.goto(link);
    await parent.sees(/Please provide your email/u);
    await parent.holds(`location.hash === ""`);
    await parent.evaluate("(window.isOldPage = true, setTimeout(() => location.reload()), true)");
    await parent.holds("window.isOldPage === undefined");
    await parent.fill(/Please provide your email/u, family.email);
    await parent.pressEnter();
    await parent.sees(/Summary for Mia/u);
  });

  test("Summary shows at once what an assistant reports", async ({ family }) => {
    const parent = await family.signIn("summary");
    await parent.sees(/Summary for Mia/u);
    await family.assistant.report(family.childId, { headline: "Mia asks why." });
    await parent.sees(/Mia asks why\./u);
  });

  test("a conversation in progress can be read", async ({ family }) => {
    await family.assistant.deliverMessage(family.childId, "Kites", "Why do kites fly?");
    const parent = await family.signIn("transcripts");
    await parent.click("link", /^Kites/u);
    await parent.sees(/Why do kites fly\?/u);
    await family.assistant.deliver("Kites", [
      {
        message_id: "2",
        source: "assistant",
        text_content: "The wind lifts them.",
        timestamp: "2026-11-20T18:00:05Z",
      },
    ]);
    await parent.sees(/The wind lifts them\./u);
  });

  test("messages are found by search", async ({ family }) => {
    await family.assistant.deliverMessage(family.childId, "Kites", "Why do kites fly?");
    const parent = await family.signIn("transcripts");
    await parent.fill(/Search/iu, "kites fly");
    await parent.sees(/Why do kites fly\?/u);
  });

  test("a topic is blocked and removed", async ({ family }) => {
    const parent = await family.signIn("topic-blocklist");
    await parent.fill(/A topic of your own/u, "Volcanoes");
    await parent.pressEnter();
    await parent.sees(/^Volcanoes$/u);
    await parent.click("button", /^Remove Volcanoes/u);
    await parent.seesNo(/^Volcanoes$/u);
  });

  test("the context is written and saved", async ({ family }) => {
    const parent = await family.signIn("context");
    await parent.fill(/What should the assistant know/u, "Mia is nine.");
    await parent.click("button", /^Save$/u);
    await parent.sees(/^Saved\.$/u);
  });

  test("talking is paused and resumed", async ({ family }) => {
    const parent = await family.signIn("summary");
    await parent.click("button", /^Pause for an hour/u);
    // A pause can't be ended while it is being saved.
    await parent.sees(/^Paused until /u);
    await parent.click("button", /^Undo/u);
    await parent.seesNo(/^Paused until /u);
  });

  test("minutes a day are set, and the time zones are listed", async ({ family }) => {
    const parent = await family.signIn("settings/times");
    await parent.fill(/^Minutes/u, "45");
    await parent.click("button", /^Save/u);
    await parent.sees(/^Saved\.$|You changed|minutes/u);
    await parent.holds(`[...document.querySelectorAll("select option")].length > 300`);
  });

  test("an assistant is connected with the code of an email, typed into a dialog", async ({
    family,
    home,
  }) => {
    const parent = await family.signIn("settings/assistants");
    await parent.click("link", /^Connect an assistant/u);
    await parent.click("link", /^Home Assistant/u);
    await parent.holds(`document.activeElement?.matches("form input") === true`);
    await parent.type("Attic");
    await parent.pressEnter();
    await parent.click("button", /^Send the code/u);
    await parent.holds(`document.activeElement?.closest("dialog") !== null`);
    let code: string | undefined;
    while (code === undefined) {
      code = /^\d{3} \d{3}$/mu.exec((await home.postOffice.emailTo(family.email)).text ?? "")?.[0];
    }
    await parent.fill(/Code from/u, code);
    await parent.pressEnter();
    await parent.sees(/^Three steps to connect it/u);
    await parent.holds(`location.search.startsWith("?assistant=")`);
  });

  test("a translated page keeps working", async ({ family }) => {
    const parent = await family.signIn("summary");
    await parent.sees(/Summary for Mia/u);
    await parent.evaluate(TRANSLATE);
    await parent.click("button", /^Pause for an hour/u);
    await parent.sees(/^Paused until /u);
    await parent.click("button", /^Undo/u);
    await parent.seesNo(/^Paused until /u);
    await parent.click("link", /^Topic Block List/u);
    for (const topic of ["Volcanoes", "Sharks"]) {
      await parent.fill(/A topic of your own/u, topic);
      await parent.pressEnter();
      await parent.sees(new RegExp(`^${topic}$`, "u"));
    }
    await parent.click("button", /^Remove Volcanoes/u);
    await parent.seesNo(/^Volcanoes$/u);
    await parent.seesNo(/This page could not be shown/u);
  });

  test("the charts are drawn", async ({ family }) => {
    await family.assistant.deliverMessage(family.childId, "Kites", "Why do kites fly?");
    const parent = await family.signIn("metrics");
    await parent.sees(/Metrics Page/u);
    await parent.holds(`document.querySelector("main svg") !== null`);
  });

  test("signing out leads back to the sign-in page", async ({ family }) => {
    const parent = await family.signIn("metrics");
    await parent.click("button", /^Your account/u);
    await parent.click("menuitem", /^Sign out$/u);
    await parent.sees(/Sign In with Email Link/u);
    expect(await parent.evaluate("document.cookie")).toBe("");
  });
}
