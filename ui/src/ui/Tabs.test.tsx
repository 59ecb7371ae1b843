import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import { Tabs } from "./Tabs";

const tabs = [
  { key: "past", label: "Past" },
  { key: "next", label: "Next" },
] as const;

function Days() {
  const [day, setDay] = useState<"past" | "next">("past");
  return (
    <Tabs label="Days" tabs={tabs} selected={day} onSelect={setDay}>
      The {day} day
    </Tabs>
  );
}

test("an arrow key selects and focuses the next tab, which labels the panel", async () => {
  render(<Days />);
  expect(screen.getByRole("tabpanel", { name: "Past" })).toHaveTextContent("The past day");

  await userEvent.tab();
  expect(screen.getByRole("tab", { name: "Past", selected: true })).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");

  expect(screen.getByRole("tab", { name: "Next", selected: true })).toHaveFocus();
  expect(screen.getByRole("tabpanel", { name: "Next" })).toHaveTextContent("The next day");
});

test("the tabs are one tab stop", async () => {
  render(<Days />);

  await userEvent.tab();
  await userEvent.tab();

  expect(document.body).toHaveFocus();
});
