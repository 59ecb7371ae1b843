import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import type { Family } from "../test/families";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";

type Looks = Family["looks"];
type Other = Looks["others"][number];

function other(more: Partial<Other>): Other {
  return { by: "guardian", name: "Robin", weeks: [], copies: [], sign_in_links: [], ...more };
}

/** Opens App Settings on a Thursday. */
async function section(looks: Partial<Looks>) {
  const backend = new FakeBackend();
  backend.family("parent@example.com").looks = { today: "2026-11-26", own: [], others: [], ...looks };
  renderAt("/child/1/settings/people", { backend });
  const found = await screen.findByRole("region", { name: "Who looked" });
  await within(found).findByText(/^You /u);
  return found;
}

test("of oneself it says the day, and of others the days of the week and each copy", async () => {
  const found = await section({
    own: [
      { day: "2026-11-25", read: false, searched: false, copied: true },
      { day: "2026-11-24", read: false, searched: true, copied: false },
    ],
    others: [other({ weeks: [{ week: "2026-11-23", days: 3 }], copies: ["2026-11-20"] })],
  });

  expect(found).toHaveTextContent("You last read on Nov 24. You took a copy on Nov 25.");
  expect(found).toHaveTextContent("Robin read on 3 days this week. Robin took a copy on Nov 20.");
  expect(found).toHaveTextContent("Whoever runs this server can copy its files. That doesn't show here.");
  expect(within(found).queryByText("Show earlier")).toBeNull();
});

const cases: [Other, string][] = [
  [other({}), "Robin has not read here before today."],
  [other({ name: " " }), "Another guardian has not read here before today."],
  [other({ weeks: [{ week: "2026-11-23", days: 1 }] }), "Robin read on 1 day this week."],
  [other({ weeks: [{ week: "2026-11-16", days: 7 }] }), "Robin last read in the week of Nov 16."],
  [other({ weeks: [{ week: "2026-11-09", days: 2 }] }), "Robin last read in the week of Nov 9."],
  [other({ weeks: [{ week: "2025-12-29", days: 2 }] }), "Robin last read in the week of Dec 29, 2025."],
  [
    other({ by: "former_guardian", weeks: [{ week: "2026-11-23", days: 2 }] }),
    "A former guardian read on 2 days this week.",
  ],
  [
    other({ by: "command_line", copies: ["2026-11-21", "2026-11-20"], sign_in_links: ["2026-11-19"] }),
    "The person who set up this server took a copy on Nov 21 and Nov 20. The person who set up this server made a sign-in link on Nov 19.",
  ],
];

test.each(cases)("%j", async (told, sentence) => {
  const found = await section({ others: [told] });

  expect(within(found).getByText(sentence)).toBeVisible();
  expect(found).toHaveTextContent("You have not read here before today.");
});

test("earlier weeks can be opened", async () => {
  const weeks = [
    { week: "2026-11-23", days: 3 },
    { week: "2026-11-09", days: 1 },
  ];
  const found = await section({ others: [other({ weeks }), other({ name: "Kim" })] });

  expect(within(found).getByText("Show earlier")).toBeVisible();
  const [list, ...more] = within(found).getAllByRole("list");
  expect(more).toEqual([]);
  expect(list).toHaveTextContent("Week of Nov 23: 3 days");
  expect(list).toHaveTextContent("Week of Nov 9: 1 day");
});

test("a failure says so", async () => {
  renderAt("/child/503/settings/people");

  const found = await screen.findByRole("region", { name: "Who looked" });
  expect(await within(found).findByRole("alert")).toBeVisible();
  expectLogged(/503/u);
});
