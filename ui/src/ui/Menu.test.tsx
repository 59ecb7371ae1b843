import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { loopIndex } from "./arrow-keys";
import { Menu } from "./Menu";

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
  [
    "the focus that goes elsewhere",
    async () => userEvent.pointer([]).then(() => screen.getByRole("button", { name: "Elsewhere" }).focus()),
  ],
  ["a link that is followed", () => userEvent.click(screen.getByRole("menuitem", { name: "Pear" }))],
  ["an item that is chosen", () => userEvent.click(screen.getByRole("menuitem", { name: "Apple" }))],
  ["its button", () => userEvent.click(trigger())],
])("%s closes it", async (_what, act) => {
  await userEvent.click(trigger());

  await act();

  expect(screen.queryByRole("menu")).toBeNull();
});

test("Tab leaves it, from its button on", async () => {
  await userEvent.click(trigger());
  await userEvent.tab();

  expect(screen.queryByRole("menu")).toBeNull();
  expect(screen.getByRole("button", { name: "Elsewhere" })).toHaveFocus();

  await userEvent.click(trigger());
  await userEvent.tab({ shift: true });

  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.body).toHaveFocus();
});

test("an item is found by its first letters", async () => {
  await userEvent.click(trigger());

  await userEvent.keyboard("p");
  expect(screen.getByRole("menuitem", { name: "Pear" })).toHaveFocus();
  await userEvent.keyboard("e");
  expect(screen.getByRole("menuitem", { name: "Pear" })).toHaveFocus();
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
  expect(loopIndex(key, current, 3)).toBe(next);
});
