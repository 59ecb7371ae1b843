import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test, vi } from "vitest";

import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { allSections, sectionFacts } from "../test/section-facts";
import { server } from "../test/server";

const broken = vi.hoisted(() => ({ pages: false }));
vi.mock(import("../notifications/NotificationsPage"), async (load) => {
  const pages = await load();
  return {
    ...pages,
    NotificationsPage: () => {
      if (broken.pages) throw new Error("This page is broken.");
      return pages.NotificationsPage();
    },
  };
});

test.each([
  ["/child/1", "/child/1/summary"],
  ["/child/1/activities", "/child/1/activities/completed"],
])("%s redirects to %s", async (from, to) => {
  const { path } = renderAt(from);

  await waitFor(() => expect(path()).toBe(to));
});

test.each(["/nowhere", "/child", "/child/1/nowhere", "/child/1/activities/completed/more"])(
  "%s is not found",
  async (path) => {
    renderAt(path);

    expect(await screen.findByRole("heading", { name: "404 - Page Not Found" })).toBeVisible();
    expect(document.title).toBe("404 - Page Not Found · Porchlight");
  },
);

test.each(["metrics", "subscription"] as const)("%s shows its specified sentence", async (section) => {
  const { heading, sentence } = sectionFacts[section];
  renderAt(`/child/1/${section}`);

  expect(await screen.findByRole("heading", { name: heading, level: 1 })).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
});

test("the navigation links each section of the child and marks the one that is open", async () => {
  renderAt("/child/2/activities/upcoming");
  await screen.findAllByRole("link", { name: "Summary" });
  const [side] = screen.getAllByRole("navigation", { name: "Sections" });
  if (side === undefined) throw new Error("There is no navigation.");

  const links = within(side)
    .getAllByRole("listitem")
    .map((item) => within(item).getByRole("link"));

  expect(links.map((link) => `${link.textContent.trim()} ${link.getAttribute("href")}`)).toEqual(
    [...allSections, { section: "alerts", label: "Alerts" }].map(
      ({ section, label }) => `${label} /child/2/${section}`,
    ),
  );
  expect(within(side).getByRole("link", { current: "page" })).toHaveTextContent("Activities");
});

test("on a phone four sections are in the bar and the rest behind 'More'", async () => {
  const { user, path } = renderAt("/child/1/summary");
  await screen.findAllByRole("link", { name: "Summary" });
  const bar = screen.getAllByRole("navigation", { name: "Sections" })[1];
  if (bar === undefined) throw new Error("There is no bar.");

  expect(
    within(bar)
      .getAllByRole("link")
      .map((link) => link.getAttribute("aria-label")),
  ).toEqual(["Summary", "Activities", "Transcripts", "Topic Block List"]);
  await user.click(within(bar).getByRole("button", { name: "More" }));
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent.trim())).toEqual([
    "Metrics",
    "Context",
    "App Settings",
    "Subscription",
    "Alerts",
  ]);
  await user.keyboard("{ArrowDown}{Enter}");

  await waitFor(() => expect(screen.getByRole("heading", { name: "Context for Mia" })).toHaveFocus());
  expect(path()).toBe("/child/1/context");
  expect(screen.queryByRole("menu")).toBeNull();
});

test("after a navigation the page's heading has the focus, and the document has its title", async () => {
  const { user } = renderAt("/child/1/summary");
  const [link] = await screen.findAllByRole("link", { name: "Metrics" });
  if (link === undefined) throw new Error("There is no link.");

  await user.click(link);

  await waitFor(() => expect(screen.getByRole("heading", { name: "Metrics Page" })).toHaveFocus());
  expect(document.title).toBe("Metrics Page · Mia · Porchlight");
});

test("the first stop of the tab key skips to the content", async () => {
  const { user } = renderAt("/child/1/summary");
  await screen.findByRole("heading", { name: "Summary for Mia" });

  await user.tab();
  expect(screen.getByRole("link", { name: "Skip to the content" })).toHaveFocus();
  await user.keyboard("{Enter}");

  expect(screen.getByRole("main")).toHaveFocus();
});

test("the account menu opens by keyboard, moves by arrow keys, and Escape returns the focus", async () => {
  const { user } = renderAt("/child/1/summary");
  const button = await screen.findByRole("button", { name: "Your account" });

  button.focus();
  await user.keyboard("{Enter}");
  expect(screen.getByRole("menuitemradio", { name: "Light" })).toHaveFocus();
  await user.keyboard("{End}");
  expect(screen.getByRole("menuitem", { name: "Sign out everywhere" })).toHaveFocus();
  await user.keyboard("{Escape}");

  expect(button).toHaveFocus();
  expect(screen.queryByRole("menu")).toBeNull();
});

test("a menu that is opened while the page still redirects stays open", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { user } = renderAt("/");
  server.use(
    http.get("/api/children", async () => {
      await held;
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Your account" }));

  release();

  await screen.findByRole("heading", { name: "Summary for Mia" });
  expect(screen.getByRole("menuitemradio", { name: "Light" })).toHaveFocus();
});

test("the theme can be chosen, and is stored", async () => {
  const { user } = renderAt("/child/1/summary");
  await user.click(await screen.findByRole("button", { name: "Your account" }));
  expect(screen.getByRole("menuitemradio", { name: "Like this device" })).toBeChecked();

  await user.click(screen.getByRole("menuitemradio", { name: "Dark" }));
  expect(screen.getByRole("menuitemradio", { name: "Dark" })).toBeChecked();
  expect(document.documentElement).toHaveAttribute("data-theme", "dark");
  expect(localStorage.getItem("theme")).toBe("dark");

  await user.click(screen.getByRole("menuitemradio", { name: "Like this device" }));
  expect(document.documentElement).not.toHaveAttribute("data-theme");
  expect(localStorage.getItem("theme")).toBeNull();
});

test.each([
  ["/child/1/context", "true"],
  ["/child/1/summary", null],
])("at %s the button 'More' is marked as current: %s", async (path, current) => {
  renderAt(path);
  const more = await screen.findByRole("button", { name: "More" });

  await waitFor(() => expect(more.getAttribute("aria-current")).toBe(current));
});

test.each(["/you", "/nowhere"])("%s keeps the chosen child", async (path) => {
  const { router } = renderAt("/child/2/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });

  await router.navigate(path);

  await waitFor(() => expect(screen.queryByRole("heading", { name: "Metrics Page" })).toBeNull());
  expect(screen.getByRole("combobox", { name: "Child" })).toHaveDisplayValue("Noah");
  expect(screen.getAllByRole("link", { name: "Summary" })[0]).toHaveAttribute("href", "/child/2/summary");
});

test("an unknown page of a child shows that child in the selector", async () => {
  renderAt("/child/2/nowhere");

  expect(await screen.findByRole("combobox", { name: "Child" })).toHaveDisplayValue("Noah");
  expect(screen.getAllByRole("link", { name: "Summary" })[0]).toHaveAttribute("href", "/child/2/summary");
});

test("a page that crashes keeps the frame, and another section can be opened", async () => {
  expectLogged(/This page is broken\./u);
  broken.pages = true;
  const { user } = renderAt("/child/1/subscription");

  expect(await screen.findByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Child" })).toHaveDisplayValue("Mia");
  const [link] = screen.getAllByRole("link", { name: "Metrics" });
  await user.click(link ?? document.body);
  await waitFor(() => expect(screen.getByRole("heading", { name: "Metrics Page" })).toHaveFocus());

  broken.pages = false;
});

test("the themes have a heading in the account menu", async () => {
  const { user } = renderAt("/child/1/metrics");
  await screen.findByRole("heading", { name: "Metrics Page" });
  await user.click(screen.getByRole("button", { name: "Your account" }));

  expect(screen.getByText("Appearance")).toBeVisible();
  expect(
    within(screen.getByRole("group", { name: "Appearance" })).getAllByRole("menuitemradio"),
  ).toHaveLength(3);
});
