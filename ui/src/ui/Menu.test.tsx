import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { Menu, nextIndex } from "./Menu";

beforeEach(() => {
  render(
    <>
      <Menu label="Fruit" trigger="Fruit" triggerClassName="" placement="below" above={<p>What grows</p>}>
        <button type="button" role="menuitem">
          Apple
        </button>
        <a href="#pear" role="menuitem">
          Pear
        </a>
      </Menu>
      <button type="button">Elsewhere</button>
    </>,
  );
});

const trigger = () => screen.getByRole("button", { name: "Fruit" });

test("it opens on its first item, the arrow keys wrap around, and Escape returns the focus", async () => {
  await userEvent.click(trigger());
  expect(trigger()).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByRole("menuitem", { name: "Apple" })).toHaveFocus();

  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByRole("menuitem", { name: "Pear" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByRole("menuitem", { name: "Apple" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");

  expect(screen.queryByRole("menu")).toBeNull();
  expect(trigger()).toHaveFocus();
});

test("the menu role contains only items; the content above them is outside of it", async () => {
  await userEvent.click(trigger());

  expect(screen.getByRole("menu")).toHaveTextContent(/^ApplePear$/u);
  expect(screen.getByText("What grows")).toBeVisible();
});

test.each([
  ["a click elsewhere", () => userEvent.click(screen.getByRole("button", { name: "Elsewhere" }))],
  ["the focus that goes elsewhere", () => userEvent.tab().then(() => userEvent.tab())],
  ["a link that is followed", () => userEvent.click(screen.getByRole("menuitem", { name: "Pear" }))],
  ["an item that is chosen", () => userEvent.click(screen.getByRole("menuitem", { name: "Apple" }))],
  ["its button", () => userEvent.click(trigger())],
])("%s closes it", async (_what, act) => {
  await userEvent.click(trigger());

  await act();

  expect(screen.queryByRole("menu")).toBeNull();
});

test.each([
  ["ArrowDown", 0, 1],
  ["ArrowRight", 2, 0],
  ["ArrowUp", 0, 2],
  ["ArrowLeft", 2, 1],
  ["ArrowUp", -1, 2],
  ["Home", 2, 0],
  ["End", 0, 2],
  ["a", 0, null],
])("%s moves from item %s of 3 to item %s", (key, current, next) => {
  expect(nextIndex(key, current, 3)).toBe(next);
});
