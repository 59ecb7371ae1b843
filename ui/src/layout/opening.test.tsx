import { screen, waitFor } from "@testing-library/react";
import { http } from "msw";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { requestedAddresses } from "../test/requests";
import { allSections, requestTo, sectionFacts } from "../test/section-facts";
import { server } from "../test/server";

// Importing these pages never finishes.
vi.mock("../activities/ActivitiesPage", () => new Promise(() => {}));
vi.mock("../identity/FinishSignInPage", () => new Promise(() => {}));

const { summary, activities } = sectionFacts;

/** The requests that each of Mia's pages makes. */
const sections: readonly (readonly [address: string, asks: readonly string[]])[] = [
  ["", summary.asks],
  ...allSections.map(({ section, asks }) => [`/${section}`, asks] as const),
  ["/activities/completed", activities.asks],
  ["/activities/upcoming", activities.asks],
  ["/transcripts?session=101", ["/sessions", "/sessions/{sessionId}/messages"]],
  ["/transcripts?session=first", ["/sessions"]],
];

/** Simulates an earlier visit, which stored these children. */
function visitedBefore(...childIds: number[]) {
  localStorage.setItem("knownChildren", ["guardian-parent@example.com", ...childIds].join(" "));
}

/** Delays the list of children until the returned function is called. */
function holdChildren(): () => void {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  server.use(
    http.get("/api/children", async () => {
      await held;
    }),
  );
  return release;
}

/** The requested paths, without those that the layout requests on every page once it has the list of children. */
function askedOf({ calls }: FakeBackend): string[] {
  const ofFrame = new Set(["/alerts/unseen", "/attention", "/auth/asking_devices", "/auth/recovery_codes"]);
  return [...calls.keys()].filter((call) => !ofFrame.has(call)).toSorted();
}

for (const strict of [false, true]) {
  test.each(sections)(
    `at a second visit /child/1%s requests its data in parallel with the list of children${strict ? ", once although effects run twice" : ""}`,
    async (address, asks) => {
      visitedBefore(1, 2);
      const backend = new FakeBackend();
      backend.neverAnswered.add("/children");

      renderAt(`/child/1${address}`, { backend, strict });

      await waitFor(() => expect(backend.calls.get("/children")).toBe(1));
      await waitFor(() => {
        const asked = requestedAddresses().filter((url) => !/\/api\/(?:auth\/token|children)$/u.test(url));
        expect(asks.map((ask) => asked.filter((url) => requestTo(ask).test(url)))).toEqual(
          asks.map(() => [expect.any(String)]),
        );
        expect(asked).toHaveLength(asks.length);
      });
      await waitFor(() => expect(screen.getAllByText("Loading children...")).toHaveLength(2));
    },
  );
}

test.each(["/child/1/metrics", "/"])(
  "a section opened by a click at %s requests its data once, in parallel with its code",
  async (from) => {
    const { backend, user } = renderAt(from);
    const [link] = await screen.findAllByRole("link", { name: "Activities" });
    if (link === undefined) throw new Error("There is no link.");

    await user.click(link);

    await waitFor(() => expect(activities.asks.map((call) => backend.calls.get(call))).toEqual([1, 1]));
  },
);

test("/you requests its data once, in parallel with the list of children", async () => {
  const backend = new FakeBackend();
  backend.neverAnswered.add("/children");

  renderAt("/you", { backend });

  await waitFor(() => expect(backend.calls.get("/auth/sign_ins")).toBe(1));
  expect(await screen.findByText("This device")).toBeVisible();
  expect(backend.calls.get("/auth/sign_ins")).toBe(1);
});

test("data that arrives before the list of children is shown with it, and not requested again", async () => {
  visitedBefore(1);
  const { backend } = renderAt("/child/1/summary");
  const release = holdChildren();
  await waitFor(() => expect(backend.calls.get("/child/{childId}/summary")).toBe(1));

  release();

  expect(await screen.findByRole("region", { name: "Summary as JSON" })).toBeVisible();
  expect(backend.calls.get("/child/{childId}/summary")).toBe(1);
});

test("a prefetch that fails before the list of children arrives is reported once, and retried on demand", async () => {
  expectLogged(/status 503/u);
  visitedBefore(503);
  const { backend, user } = renderAt("/child/503/context");
  const release = holdChildren();
  // oxlint-disable-next-line no-console -- asserted, not called
  await waitFor(() => expect(console.error).toHaveBeenCalledOnce());

  release();

  expect(await screen.findByRole("alert")).toHaveTextContent("This can't be read");
  expect(backend.calls.get("/child/{childId}/context")).toBe(1);
  // oxlint-disable-next-line no-console -- asserted, not called
  expect(console.error).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(backend.calls.get("/child/{childId}/context")).toBe(2));
});

test.each([
  ["a browser that never was here", () => {}],
  [
    "another guardian's browser",
    () => localStorage.setItem("knownChildren", "guardian-other@example.com 404"),
  ],
  ["a browser that knows the guardian's children", () => visitedBefore(1, 2)],
])("in %s no data is requested for a child that is not in the list", async (_what, arrange) => {
  for (const [address] of sections) {
    arrange();
    const { backend, unmount } = renderAt(`/child/404${address}`);

    await screen.findByRole("option", { name: "Choose a child" });
    expect(askedOf(backend)).toEqual(["/auth/token", "/children"]);
    unmount();
  }
});

test("the ids of the children are stored for the next visit", async () => {
  const first = renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  first.unmount();
  const backend = new FakeBackend();
  backend.neverAnswered.add("/children");

  renderAt("/child/2/summary", { backend });

  await waitFor(() => expect(backend.calls.get("/child/{childId}/summary")).toBe(1));
});

test.each([
  ["/child/1/activities/completed", "parent@example.com"],
  ["/finish-sign-in", null],
])("while the code of %s loads, 'Loading page...' is shown", async (path, as) => {
  renderAt(path, { as });

  expect(await screen.findByText("Loading page...")).toBeVisible();
  expect(screen.queryByText("Loading application...")).toBeNull();
});

test("a child that is not in the list is not shown, even if its data was prefetched", async () => {
  expectLogged(/status 404/u);
  visitedBefore(404);
  const { router } = renderAt("/child/404/summary");
  server.use(http.get("/api/child/404/summary", () => Response.json({ secret: "another family's" })));

  expect(await screen.findByText("Select a child tab above...")).toBeVisible();
  expect(screen.queryByText(/another family/u)).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  await router.navigate("/child/1/summary");
  expect(await screen.findByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});

test.each(["07", "0", "-1", "1.0", "one", "9007199254740993", "1%2Fsummary"])(
  "/child/%s is not a valid child, and no data is requested",
  async (childId) => {
    const { backend } = renderAt(`/child/${childId}/summary`);

    expect(await screen.findByText("Select a child tab above...")).toBeVisible();
    expect(askedOf(backend)).toEqual(["/auth/token", "/children"]);
  },
);

test("without a sign-in, only the token and the sign-in methods are requested", async () => {
  const { backend, path } = renderAt("/child/1/summary", { as: null });

  await waitFor(() => expect(path()).toBe("/login"));
  expect(await screen.findByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  await waitFor(() => expect([...backend.calls.keys()]).toEqual(["/auth/token", "/auth/methods"]));
  expect(vi.spyOn(console, "error")).not.toHaveBeenCalled();
});
