/**
 * Each page that loads data: while it loads, if that fails, and when it is tried again; and without data. A browser runs axe on
 * the pages with data, with colours and a layout.
 */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";

import { expectAccessible } from "../test/axe";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { allSections } from "../test/section-facts";
import { server } from "../test/server";

/** The address, the request, and the messages while it loads and before its error. */
type Load = readonly [address: string, asks: RegExp, waiting: string, refused: string];

const loads: readonly Load[] = [
  ...allSections.map(({ section, load }): Load => [
    `/child/1/${section}`,
    load.asks,
    load.waiting,
    load.refused,
  ]),
  [
    "/child/1/activities/upcoming",
    /\/api\/.*\/upcoming/u,
    "Loading activities for Mia...",
    "Error loading activities: ",
  ],
  [
    "/child/1/transcripts?session=101",
    /\/api\/sessions\/\d+\/messages/u,
    "Loading transcript...",
    "Error loading transcript: ",
  ],
  [
    "/child/2/summary",
    /\/api\/child\/2\/summary$/u,
    "Loading summary for Noah...",
    "Error loading summary: ",
  ],
  ["/you", /\/api\/auth\/sign_ins$/u, "Loading...", ""],
];

const failures = [
  [
    "is refused",
    "The store is being repaired. Please try again in a minute.",
    () =>
      HttpResponse.json(
        { detail: "The store is being repaired. Please try again in a minute." },
        { status: 404 },
      ),
  ],
  [
    "gets no answer",
    "The server can't be reached. Please check your connection.",
    () => HttpResponse.error(),
  ],
] as const;

/** Holds requests to these addresses until `release`, which decides about the response. */
function gateAt(asks: RegExp) {
  let held = Promise.withResolvers<(() => Response) | undefined>();
  server.use(
    http.all("/api/*", async ({ request }) => {
      if (!asks.test(request.url)) return undefined;
      return (await held.promise)?.();
    }),
  );
  return {
    release: (answer?: () => Response) => held.resolve(answer),
    hold: () => {
      held = Promise.withResolvers();
    },
  };
}

for (const [what, sentence, answer] of failures) {
  test.each(loads)(
    `%s: loading, and an error if the request ${what}, are shown accessibly, and a retry keeps the focus on the page`,
    async (address, asks, waiting, refused) => {
      expectLogged(/status 404|can't be reached/u);
      const { user } = renderAt(address);
      const gate = gateAt(asks);
      const status = () =>
        screen.queryAllByRole("status").filter(({ textContent }) => textContent.includes(waiting));
      await waitFor(() => expect(status()).not.toEqual([]));
      await expectAccessible();

      gate.release(answer);
      expect(await screen.findByRole("alert")).toHaveTextContent(refused + sentence);
      await expectAccessible();

      gate.hold();
      await user.click(screen.getByRole("button", { name: "Try again" }));
      await waitFor(() => expect(screen.queryByRole("button", { name: "Try again" })).toBeNull());
      expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
      gate.release();
      await waitFor(() => expect(status()).toEqual([]));
      expect(screen.queryByRole("alert")).toBeNull();
    },
  );
}

test("the loading screen of the whole app, and its error, are accessible", async () => {
  expectLogged(/can't be reached/u);
  const { user } = renderAt("/child/1/summary");
  const gate = gateAt(/\/api\/auth\/token$/u);
  expect(await screen.findByText("Loading application...")).toBeVisible();
  await expectAccessible();

  gate.release(() => HttpResponse.error());
  expect(await screen.findByRole("heading", { name: "Porchlight can't be reached." })).toBeVisible();
  await expectAccessible();

  gate.hold();
  gate.release();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});

test("at an address that is closed for the guardian stand the link to the other one, and a way for somebody else", async () => {
  expectLogged(/status 403/u);
  const { user } = renderAt("/child/1/summary");
  const gate = gateAt(/\/api\/auth\/token$/u);
  expect(await screen.findByText("Loading application...")).toBeVisible();
  gate.release(() =>
    HttpResponse.json(
      {
        detail: "You have signed in at https://blue-lamp.dedyn.io. Please open Porchlight there.",
        code: "open_the_name",
        args: { url: "https://blue-lamp.dedyn.io" },
      },
      { status: 403 },
    ),
  );

  const link = await screen.findByRole("link", { name: "https://blue-lamp.dedyn.io" });
  expect(link).toHaveAttribute("href", "https://blue-lamp.dedyn.io/child/1/summary");
  await expectAccessible();

  await user.click(screen.getByRole("button", { name: "I'm somebody else" }));
  expect(await screen.findByRole("textbox", { name: "Email" })).toBeVisible();
});

test("a sign-in whose end fails is shown accessibly, and can be ended again", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/auth/sign_ins/{signInId}");
  const { user } = renderAt("/you", { backend });
  const [end] = await screen.findAllByRole("button", { name: /^Sign out ./u });
  if (end === undefined) throw new Error("There is no other sign-in.");
  await user.click(end);
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  await expectAccessible();

  backend.outOfReach.clear();
  await user.click(end);
  expect(await screen.findByText("That device is signed out.")).toBeVisible();
});

test("feedback that is being sent, and its failure, are accessible", async () => {
  expectLogged(/can't be reached/u);
  const { user } = renderAt("/child/1/activities/upcoming");
  await user.click((await screen.findAllByRole("button", { name: "Like" }))[0] ?? document.body);
  const gate = gateAt(/\/feedback$/u);

  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByRole("button", { name: "Submitting..." })).toBeVisible();
  await expectAccessible();

  gate.release(() => HttpResponse.error());
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  await expectAccessible();
});

test("a link that could not be requested is requested again with the same address", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/auth/link");
  const { user } = renderAt("/login", { as: null, backend });
  const field = await screen.findByRole("textbox", { name: "Email" });
  await user.type(field, "parent@example.com{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  expect(field).toHaveValue("parent@example.com");
  await expectAccessible();

  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Send Sign-In Link" }));
  expect(await screen.findByText(/^Sign-in link sent to parent@example\.com\./u)).toBeVisible();
});

test.each([
  ...allSections.map(({ section, heading, sentence }) => [
    `/child/204/${section}`,
    heading.replace("Mia", "Empty"),
    sentence,
  ]),
  ["/child/204/transcripts/deleted", "Recently deleted for Empty", "Nothing yet"],
  ["/child/1/transcripts?session=204", "Transcripts for Mia", "This session does not contain any messages."],
  ["/child/1/settings/ai-reader", "AI reader", "Off"],
  ["/child/1/topic-blocklist/try", "Try your rules", "Nothing yet"],
])("%s is accessible without data", async (address, heading, sentence) => {
  renderAt(address);
  expect(await screen.findByRole("heading", { name: heading, level: 1 })).toBeVisible();
  expect((await screen.findAllByText(sentence))[0]).toBeVisible();
  await expectAccessible();
});

test.each([
  ["/", "nobody@example.com", "No children profiles found."],
  ["/child/999/summary", "parent@example.com", "Select a child tab above..."],
  ["/login#error=denied", null, /^You did not allow it/u],
  ["/finish-sign-in#token=lnk_mangled", null, "Invalid sign-in link."],
])("%s is accessible for %s", async (address, as, sentence) => {
  expectLogged(/You did not allow|Invalid sign-in link/u);
  renderAt(address, { as });
  expect(await screen.findByText(sentence)).toBeVisible();
  await expectAccessible();
});

test.each([
  ["slow", "Saving changes..."],
  ["offline", "The server can't be reached. Please check your connection."],
  ["ab", '"ab" is too short.'],
])("the block list after '%s' is accessible", async (topic, sentence) => {
  expectLogged(/can't be reached/u);
  const { user } = renderAt("/child/1/topic-blocklist");
  await user.type(await screen.findByRole("textbox", { name: "A topic of your own" }), `${topic}{Enter}`);
  expect(await screen.findByText(sentence)).toBeVisible();
  await expectAccessible();
});
