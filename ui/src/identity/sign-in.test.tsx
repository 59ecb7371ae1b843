import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";

import { dropToken } from "../api/identity-token";
import { FakeBackend } from "../test/fake-backend";
import { INVITATION_TOKEN } from "../test/fake-backend-household";
import { SETUP_TOKEN } from "../test/fake-backend-setup";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { allAnswered } from "../test/requests";
import { server } from "../test/server";

const EMAIL = "parent@example.com";
const PROMPT = "Please provide your email for confirmation:";

function consoleMessages(): unknown[] {
  // oxlint-disable-next-line no-console -- read, not written
  const { calls } = vi.mocked(console.error).mock;
  return calls.map(([error]: unknown[]) => error instanceof Error && error.message);
}

/** A link as the e-mail of `backend` carries it. */
function linkFor(email: string) {
  const backend = new FakeBackend();
  const token = `lnk_${"A".repeat(43)}`;
  backend.links.set(token, email);
  return { backend, path: `/finish-sign-in#token=${token}` };
}

test("until the identity is known, only 'Loading application...' is shown", async () => {
  renderAt("/child/1/transcripts");

  expect(document.body).toHaveTextContent(/^Loading application\.\.\.$/u);
  expect(await screen.findByRole("heading", { name: "Transcripts for Mia" })).toBeVisible();
});

test.each(["/", "/child/1/transcripts", "/nowhere"])(
  "without a sign-in %s redirects to /login",
  async (path) => {
    const { path: now } = renderAt(path, { as: null });

    expect(await screen.findByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
    expect(now()).toBe("/login");
    expect(document.title).toBe("Sign In · Porchlight");
  },
);

test("an invalid sign-in redirects to /login", async () => {
  const backend = new FakeBackend();
  backend.cookieHolds = false;

  renderAt("/child/1/transcripts", { backend });

  expect(await screen.findByRole("button", { name: "Send Sign-In Link" })).toBeVisible();
  expect(screen.queryByText(/^You were signed out here/u)).toBeNull();
});

test("a guardian who is signed out from another device is told so", async () => {
  const { backend, router } = renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });

  backend.cookieHolds = false;
  dropToken();
  await router.navigate("/child/1/context");

  expect(await screen.findByText(/^You were signed out here, perhaps from another device\./u)).toBeVisible();
});

test("an unreachable server signs nobody out; the request can be retried", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/auth/token");
  const { user, path } = renderAt("/child/1/transcripts", { backend });

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The server can't be reached. Please check your connection.",
  );
  expect(path()).toBe("/child/1/transcripts");

  backend.outOfReach.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Transcripts for Mia" })).toBeVisible();
});

test("a link is sent to the address, which is stored in the browser", async () => {
  const backend = new FakeBackend();
  const emails: string[] = [];
  backend.onEmail = (email) => emails.push(email);
  const { user } = renderAt("/login", { as: null, backend });

  await user.type(await screen.findByRole("textbox", { name: "Email" }), `${EMAIL}{Enter}`);

  expect(await screen.findByText(`Sign-in link sent to ${EMAIL}. Check your inbox!`)).toBeVisible();
  expect(emails).toEqual([EMAIL]);
  expect(localStorage.getItem("emailForSignIn")).toBe(EMAIL);
});

test("the e-mail is required and must look like one", async () => {
  renderAt("/login", { as: null });

  const field = await screen.findByRole("textbox", { name: "Email" });

  expect(field).toBeRequired();
  expect(field).toHaveAttribute("type", "email");
});

test("/login says what Porchlight is", async () => {
  renderAt("/login", { as: null });

  expect(await screen.findByText("See what your child and their voice assistant talk about.")).toBeVisible();
});

test("the button shows 'Sending...' and is disabled while the link is requested", async () => {
  const { user } = renderAt("/login", { as: null });

  await user.type(await screen.findByRole("textbox", { name: "Email" }), "slow@example.com{Enter}");

  expect(await screen.findByRole("button", { name: "Sending..." })).toHaveAttribute("aria-disabled", "true");
});

test("if the link can't be sent, the server's message is shown and logged", async () => {
  expectLogged(/status 503/u);
  const { user } = renderAt("/login", { as: null });

  await user.type(await screen.findByRole("textbox", { name: "Email" }), "fail@example.com{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Emails can't be sent right now. Please try again later.",
  );
  // oxlint-disable-next-line no-console -- read, not written
  expect(console.error).toHaveBeenCalledOnce();
  expect(localStorage.getItem("emailForSignIn")).toBeNull();
});

test("if the link can't be sent and the server sends no message, the default message is shown", async () => {
  expectLogged(/status 502/u);
  const { user } = renderAt("/login", { as: null });
  server.use(http.post("/api/auth/link", () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })));

  await user.type(await screen.findByRole("textbox", { name: "Email" }), `${EMAIL}{Enter}`);

  expect(await screen.findByRole("alert")).toHaveTextContent(/^Failed to send sign-in link\.$/u);
});

test("a server without e-mail says so, and disables the form", async () => {
  const backend = new FakeBackend();
  backend.sendsEmail = false;

  renderAt("/login", { as: null, backend });

  expect(
    await screen.findByText("This server sends no emails. Ask the person who set it up for a link."),
  ).toBeVisible();
  expect(screen.getByRole("heading", { level: 1, name: "Sign In" })).toBeVisible();
  expect(screen.getByText(/^Use a signed-in device or a recovery code\./u)).toBeVisible();
  expect(screen.queryByText(/porchlight sign-in-link/u)).toBeNull();
  const ways = screen.getByRole("button", { name: "Use a recovery code or a link" });
  const title = screen.getByRole("heading", { level: 2, name: "Sign In with Email Link" });
  expect(ways.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByRole("textbox", { name: "Email" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Send Sign-In Link" })).toHaveAttribute("aria-disabled", "true");
});

test("a browser that blocks its storage can still request a link, sign in with it and use the dark theme", async () => {
  for (const method of ["getItem", "setItem", "removeItem"] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException("Storage is forbidden.", "SecurityError");
    });
  }
  const { backend, path: link } = linkFor(EMAIL);
  const asked = renderAt("/child/1/metrics", { as: null, backend });
  await asked.user.type(await screen.findByRole("textbox", { name: "Email" }), `${EMAIL}{Enter}`);
  expect(await screen.findByText(`Sign-in link sent to ${EMAIL}. Check your inbox!`)).toBeVisible();
  asked.unmount();

  const { user } = renderAt(link, { as: null, backend });
  await user.type(await screen.findByRole("textbox", { name: PROMPT }), `${EMAIL}{Enter}`);
  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();

  await screen.findByRole("region", { name: "Summary as JSON" });
  await user.click(screen.getByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitemradio", { name: "Dark" }));
  expect(screen.getByRole("menuitemradio", { name: "Dark" })).toBeChecked();
});

test("a configured provider is offered by name", async () => {
  const backend = new FakeBackend();
  backend.providerName = "Example ID";

  renderAt("/login", { as: null, backend });

  expect(await screen.findByRole("link", { name: "Sign in with Example ID" })).toHaveAttribute(
    "href",
    "/api/auth/oidc/start",
  );
});

test("if the sign-in methods can't be loaded, only the e-mail is offered", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  backend.outOfReach.add("/auth/methods");

  renderAt("/login", { as: null, backend });

  expect(await screen.findByRole("button", { name: "Send Sign-In Link" })).toBeVisible();
  await waitFor(() => expect(backend.calls.get("/auth/methods")).toBe(1));
  await allAnswered();
  expect(screen.queryByRole("link")).toBeNull();
});

test.each([
  ["denied", "You did not allow it, so nothing was shared."],
  [
    "unknown_guardian",
    "There is no parent with this email address here. Please ask the person who set up this server to add you.",
  ],
  [
    "unverified_email",
    "That account has an email address that nobody has confirmed. Please confirm it there first.",
  ],
  [
    "not_linked",
    "That account is not linked to you yet. Please sign in by email first, and then link it in App Settings.",
  ],
  ["expired", "It took too long, or was started in another browser. Please try again."],
  [
    "too_many",
    "There were too many requests from your network in a short time. Please wait a little and try again.",
  ],
  ["failed", "That didn't work. Please try again."],
  ["something_new", "That didn't work. Please try again."],
])("the provider's redirect with '%s' shows its message once", async (word, sentence) => {
  expectLogged(sentence);
  const { path } = renderAt(`/login#error=${word}`, { as: null });

  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
  await waitFor(() => expect(path()).toBe("/login"));
  expect(screen.getByRole("alert")).toHaveTextContent(sentence);
  // oxlint-disable-next-line no-console -- read, not written
  expect(console.error).toHaveBeenCalled();
});

test("/login redirects a signed-in guardian", async () => {
  const { path } = renderAt("/login");

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test("/login redirects a signed-in guardian even with a provider's error", async () => {
  expectLogged(/It took too long/u);
  const { path } = renderAt("/login#error=expired");

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});

test("a valid link signs in with the stored address, shows success, and redirects after a second", async () => {
  const { backend, path: link } = linkFor(EMAIL);
  localStorage.setItem("emailForSignIn", EMAIL);

  const afterASecond: (() => void)[] = [];
  const schedule = globalThis.setTimeout;
  // With all arguments: Node's `fetch` passes a third one.
  vi.spyOn(globalThis, "setTimeout").mockImplementation((...all) =>
    all[1] === 1000 ? schedule(() => afterASecond.push(all[0])) : schedule(...all),
  );
  const { path } = renderAt(link, { as: null, backend });

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Completing Sign-In" })).toBeVisible();
  expect(localStorage.getItem("emailForSignIn")).toBeNull();
  await waitFor(() => expect(afterASecond).toHaveLength(1));
  act(() => afterASecond[0]?.());
  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test("the token is removed from the address bar", async () => {
  const { backend, path: link } = linkFor(EMAIL);

  const { path } = renderAt(link, { as: null, backend });

  expect(
    await screen.findByRole("textbox", { name: "Please provide your email for confirmation:" }),
  ).toBeVisible();
  await waitFor(() => expect(path()).toBe("/finish-sign-in"));
});

test.each([
  ["/finish-sign-in", `#token=lnk_${"A".repeat(43)}`, "Please provide your email for confirmation:"],
  ["/welcome", `#setup=${SETUP_TOKEN}`, "Your name"],
  ["/invitation", `#token=${INVITATION_TOKEN}`, "Your name"],
])("%s still has its link when reloaded before it was submitted", async (path, fragment, field) => {
  const backend = new FakeBackend();
  backend.setup.open = true;
  const first = renderAt(path + fragment, { as: null, backend });
  await screen.findByRole("textbox", { name: field });
  await waitFor(() => expect(first.path()).toBe(path));
  const { state } = first.router.state.location;
  first.unmount();

  renderAt({ pathname: path, state }, { as: null, backend });

  expect(await screen.findByRole("textbox", { name: field })).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  [`http://192.168.1.20:8080/finish-sign-in#token=lnk_${"A".repeat(43)}`, "Completing Sign-In"],
  [`  https://porchlight.example.com/welcome#setup=${SETUP_TOKEN} `, "Set up Porchlight"],
  [`https://porchlight.example.com/invitation#token=${INVITATION_TOKEN}`, "Invitation"],
  [`https://porchlight.example.com/pair#token=par_${"A".repeat(43)}`, "Sign this device in"],
])("/login takes a copied link: %s", async (link, heading) => {
  const { backend } = linkFor(EMAIL);
  backend.setup.open = true;
  const { user } = renderAt("/login", { as: null, backend });
  await user.click(await screen.findByRole("button", { name: "Use a recovery code or a link" }));
  await user.click(screen.getByRole("textbox", { name: "Recovery code or copied link" }));
  await user.paste(link);
  await user.keyboard("{Enter}");

  expect(await screen.findByRole("heading", { name: heading })).toBeVisible();
});

test("a code that is refused because the guardian uses another address leads there", async () => {
  expectLogged(/status 403/u);
  const url = "https://blue-lamp.dedyn.io";
  const refusal = { detail: `You have signed in at ${url}.`, code: "open_the_name", args: { url } };
  const { user } = renderAt("/login", { as: null });
  server.use(http.post("/api/auth/recovery", () => HttpResponse.json(refusal, { status: 403 })));
  await user.click(await screen.findByRole("button", { name: "Use a recovery code or a link" }));

  await user.type(
    screen.getByRole("textbox", { name: "Recovery code or copied link" }),
    "K7QX-3M0V-9T0D-HC0A{Enter}",
  );

  expect(await screen.findByRole("link", { name: url })).toHaveAttribute("href", url);
});

test("a second link that is pasted into the same tab is used", async () => {
  const { backend } = linkFor(EMAIL);
  backend.links.set(`lnk_${"B".repeat(43)}`, EMAIL);
  expectLogged(/status 401/u, /Invalid sign-in link\./u);
  localStorage.setItem("emailForSignIn", EMAIL);
  const { router } = renderAt(`/finish-sign-in#token=lnk_${"x".repeat(43)}`, { as: null, backend });
  expect(await screen.findByRole("alert")).toHaveTextContent("has expired or was already used.");
  await act(async () => router.navigate("/finish-sign-in#token=lnk_short"));
  expect(await screen.findByText("Invalid sign-in link.")).toBeVisible();

  await act(async () => router.navigate(`/finish-sign-in#token=lnk_${"B".repeat(43)}`));

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test("without a stored address the link asks for it, and signs in with it", async () => {
  const { backend, path: link } = linkFor(EMAIL);
  const { user } = renderAt(link, { as: null, backend });

  await user.type(
    await screen.findByRole("textbox", { name: "Please provide your email for confirmation:" }),
    `${EMAIL}{Enter}`,
  );

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test("a mistyped address can be corrected, because the link still works", async () => {
  expectLogged(/status 401/u);
  const { backend, path: link } = linkFor(EMAIL);
  const { user } = renderAt(link, { as: null, backend });

  await user.type(await screen.findByRole("textbox", { name: PROMPT }), "parnet@example.com{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("Please check the address.");
  expect(screen.getByRole("button", { name: "Go to Login" })).toBeVisible();
  const field = screen.getByRole("textbox", { name: PROMPT });
  expect(field).toHaveValue("parnet@example.com");
  await user.clear(field);
  await user.type(field, `${EMAIL}{Enter}`);

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test.each([
  ["left blank", "   ", "Confirm"],
  ["cancelled", "x", "Cancel"],
])("a confirmation that is %s shows an error and a link to /login", async (_how, typed, button) => {
  expectLogged(/Email is required to complete sign-in\./u);
  const { backend, path: link } = linkFor(EMAIL);
  const { user, path } = renderAt(link, { as: null, backend });

  await user.type(await screen.findByRole("textbox"), typed);
  await user.click(screen.getByRole("button", { name: button }));

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Email is required to complete sign-in. Please try sending the link again.",
  );
  expect(consoleMessages()).toEqual([
    "Email is required to complete sign-in. Please try sending the link again.",
  ]);
  await user.click(screen.getByRole("button", { name: "Go to Login" }));
  expect(path()).toBe("/login");
});

test.each([
  "/finish-sign-in",
  "/finish-sign-in#token=lnk_short",
  `/finish-sign-in#token=${"A".repeat(43)}`,
  `/finish-sign-in#token=lnk_${"A".repeat(44)}`,
])("%s is not a sign-in link", async (link) => {
  expectLogged(/Invalid sign-in link\./u);
  renderAt(link, { as: null });

  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid sign-in link.");
  await waitFor(() => expect(consoleMessages()).toEqual(["Invalid sign-in link."]));
  expect(screen.getByRole("button", { name: "Go to Login" })).toBeVisible();
});

test("an expired link shows the server's detail", async () => {
  expectLogged(/status 401/u);
  localStorage.setItem("emailForSignIn", EMAIL);

  renderAt(`/finish-sign-in#token=lnk_${"x".repeat(43)}`, { as: null });

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "This sign-in link has expired or was already used.",
  );
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a failed link without a detail shows the default message", async () => {
  expectLogged(/status 502/u);
  localStorage.setItem("emailForSignIn", EMAIL);

  renderAt(`/finish-sign-in#token=lnk_${"y".repeat(43)}`, { as: null });

  expect(await screen.findByRole("alert")).toHaveTextContent(
    /^Failed to sign in\. The link may be invalid or expired\.$/u,
  );
});

test("after a transient error the same link can be retried", async () => {
  expectLogged(/can't be reached/u);
  const { backend, path: link } = linkFor(EMAIL);
  backend.outOfReach.add("/auth/sign-in");
  localStorage.setItem("emailForSignIn", EMAIL);
  const { user } = renderAt(link, { as: null, backend });

  const again = await screen.findByRole("button", { name: "Try again" });
  backend.outOfReach.clear();
  await user.click(again);

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test("a link works once: React's double effects don't consume it twice", async () => {
  const { backend, path: link } = linkFor(EMAIL);
  localStorage.setItem("emailForSignIn", EMAIL);

  renderAt(link, { as: null, backend, strict: true });

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test("a sign-in link redirects a signed-in guardian to the start page", async () => {
  const { path } = renderAt(`/finish-sign-in#token=lnk_${"A".repeat(43)}`);

  await waitFor(() => expect(path()).toBe("/child/1/summary"));
});

test("signing in opens the child's page that was requested first, once", async () => {
  const { backend, path: link } = linkFor(EMAIL);
  const began = renderAt("/child/2/transcripts?session=201", { as: null, backend });
  await screen.findByRole("button", { name: "Send Sign-In Link" });
  began.unmount();
  localStorage.setItem("emailForSignIn", EMAIL);

  const linked = renderAt(link, { as: null, backend });
  await waitFor(() => expect(linked.path()).toBe("/child/2/transcripts?session=201"), {
    timeout: 5000,
  });
  linked.unmount();
  const later = renderAt("/", { backend });

  await waitFor(() => expect(later.path()).toBe("/child/1/summary"));
});

test("signing out redirects to /login and forgets the page", async () => {
  const { user, path, backend } = renderAt("/child/2/transcripts");

  await user.click(await screen.findByRole("button", { name: "Your account" }));
  expect(screen.getByText(/^Signed in as/u)).toHaveTextContent("Signed in as Robin Kellerparent@example.com");
  await user.click(screen.getByRole("menuitem", { name: "Sign out" }));

  expect(await screen.findByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  expect(path()).toBe("/login");
  expect(backend.signedInAs).toBeNull();
  expect(localStorage.getItem("afterSignIn")).toBeNull();
});

test("failing to sign out shows an error and keeps the page", async () => {
  expectLogged(/can't be reached/u);
  const { user, path, backend } = renderAt("/child/2/transcripts");
  backend.outOfReach.add("/auth/sign-out");

  await user.click(await screen.findByRole("button", { name: "Your account" }));
  await user.click(screen.getByRole("menuitem", { name: "Sign out" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(path()).toBe("/child/2/transcripts");
});

test("'Sign out everywhere' asks first, and shows a failure in its dialog", async () => {
  expectLogged(/can't be reached/u);
  const { user, path, backend } = renderAt("/child/2/transcripts");
  const askAgain = async () => {
    await user.click(await screen.findByRole("button", { name: "Your account" }));
    await user.click(screen.getByRole("menuitem", { name: "Sign out everywhere" }));
    const dialog = await screen.findByRole("dialog", { name: "Sign out everywhere" });
    await allAnswered();
    return within(dialog);
  };

  const first = await askAgain();
  expect(backend.calls.get("/auth/sign-out")).toBeUndefined();
  await user.click(first.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(path()).toBe("/child/2/transcripts");

  const second = await askAgain();
  backend.outOfReach.add("/auth/sign-out");
  await user.click(second.getByRole("button", { name: "Sign out everywhere" }));
  expect(await second.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  backend.outOfReach.delete("/auth/sign-out");
  await user.click(second.getByRole("button", { name: "Sign out everywhere" }));

  await waitFor(() => expect(path()).toBe("/login"));
  expect(backend.signedInAs).toBeNull();
});

test("a sign-out in another tab signs this tab out", async () => {
  const { path } = renderAt("/child/1/transcripts");
  await screen.findByRole("heading", { name: "Transcripts for Mia" });

  const otherTab = new BroadcastChannel("porchlight-identity");
  otherTab.postMessage("signed-out");

  await waitFor(() => expect(path()).toBe("/login"));
  otherTab.close();
});

test("after a sign-in in another tab, this tab shows the requested page", async () => {
  const { path, backend } = renderAt("/child/2/transcripts", { as: null });
  await screen.findByRole("button", { name: "Send Sign-In Link" });

  backend.signedInAs = EMAIL;
  const otherTab = new BroadcastChannel("porchlight-identity");
  otherTab.postMessage("signed-in");

  await waitFor(() => expect(path()).toBe("/child/2/transcripts"));
  otherTab.close();
});

test("when another guardian signs in in another tab, the first guardian's data is removed", async () => {
  // What the first guardian's page was still fetching.
  expectLogged(/status 404/u);
  const { backend } = renderAt("/child/1/transcripts");
  await screen.findByRole("option", { name: "Noah" });

  backend.signedInAs = "nobody@example.com";
  const otherTab = new BroadcastChannel("porchlight-identity");
  otherTab.postMessage("signed-in");

  expect(await screen.findByText("No children profiles found.")).toBeVisible();
  expect(document.body).not.toHaveTextContent("Mia");
  otherTab.close();
});

test("a link whose end was lost is pasted whole", async () => {
  expectLogged(/Invalid sign-in link\./u);
  localStorage.setItem("emailForSignIn", EMAIL);
  const { backend, path: link } = linkFor(EMAIL);
  const { user } = renderAt("/finish-sign-in", { as: null, backend });
  const field = await screen.findByRole("textbox", { name: "The whole link" });
  await user.type(field, "https://porchlight.example/finish-sign-in{Enter}");
  expect(await screen.findByText("This is not a whole link from Porchlight.")).toBeVisible();

  await user.clear(field);
  await user.paste(`https://porchlight.example${link}.`);
  await user.keyboard("{Enter}");

  expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
});

test.each([(link: string) => link.replace("#token=", "#token%3D"), (link: string) => `${link}.`])(
  "a link that a mail program changed signs in",
  async (change) => {
    localStorage.setItem("emailForSignIn", EMAIL);
    const { backend, path: link } = linkFor(EMAIL);
    const { path } = renderAt(change(link), { as: null, backend });

    expect(await screen.findByText("Successfully signed in! Redirecting...")).toBeVisible();
    expect(path()).toBe("/finish-sign-in");
  },
);
