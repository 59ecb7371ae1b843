import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { openSettings } from "../test/open-settings";
import { allAnswered } from "../test/requests";

async function open(born?: string) {
  const backend = new FakeBackend();
  const { profiles } = backend.family("parent@example.com");
  if (born !== undefined) profiles.set(1, { born });
  const saved = () => profiles.get(1)?.born;
  const { user, main } = await openSettings("settings/profile", { backend });
  const asked = within(await main.findByRole("group", { name: "When was Mia born?" }));
  const choose = (label: "Month" | "Year", option: string) =>
    user.selectOptions(asked.getByRole("combobox", { name: label }), option);
  const save = () =>
    user.click(main.getByRole("button", { name: "Save", description: "When was Mia born?" }));
  return { user, main, saved, asked, choose, save };
}

test("a month of birth is saved", async () => {
  const { main, saved, asked, choose, save } = await open();
  expect(main.getByText(/^Month and year, optional\./u)).toHaveTextContent(
    "Month and year, optional. Assistants are told 'Mia is 8', so answers can fit. The company behind an assistant learns the age, too.",
  );
  expect(main.queryByRole("button", { name: "Remove", description: "When was Mia born?" })).toBeNull();

  const year = new Date().getFullYear() - 11;
  await choose("Month", "January");
  await choose("Year", String(year));
  expect(main.getByText(/^Month and year, optional\./u)).toHaveTextContent("'Mia is 11'");
  await save();

  expect(await main.findByText("Saved.")).toBeVisible();
  expect(saved()).toBe(`${year}-01`);
  await allAnswered();
  expect(asked.getByRole("combobox", { name: "Month" })).toHaveDisplayValue("January");
  expect(asked.getByRole("combobox", { name: "Year" })).toHaveDisplayValue(String(year));
});

test("a month of birth is removed", async () => {
  const { user, main, saved, asked } = await open("2018-05");
  expect(asked.getByRole("combobox", { name: "Month" })).toHaveDisplayValue("May");

  await user.click(main.getByRole("button", { name: "Remove", description: "When was Mia born?" }));

  expect(await main.findByText("Saved.")).toBeVisible();
  expect(saved()).toBeUndefined();
  expect(asked.getByRole("combobox", { name: "Month" })).toHaveDisplayValue("Not said");
  expect(main.getByRole("button", { name: "Save", description: "When was Mia born?" })).toHaveFocus();
});

test("choosing neither month nor year removes it, too", async () => {
  const { main, saved, choose, save } = await open("2018-05");

  await choose("Month", "Not said");
  await choose("Year", "Not said");
  expect(saved()).toBe("2018-05");
  await save();

  expect(await main.findByText("Saved.")).toBeVisible();
  expect(saved()).toBeUndefined();
});

test("half a month is not saved, and the form says what is missing", async () => {
  const { main, saved, choose, save } = await open();

  await choose("Month", "May");
  await save();

  expect(await main.findByRole("alert")).toHaveTextContent("Please choose the month and the year.");
  expect(saved()).toBeUndefined();
});

test("what the server refuses stays chosen, with the reason", async () => {
  expectLogged(/status 422/u);
  const { main, saved, asked, choose, save } = await open("2018-05");

  await choose("Month", "November");
  await choose("Year", "2011");
  await save();

  expect(await main.findByRole("alert")).toHaveTextContent("The month of birth can't be in the future.");
  expect(asked.getByRole("combobox", { name: "Year" })).toHaveDisplayValue("2011");
  expect(saved()).toBe("2018-05");
  await choose("Year", "2012");
  expect(screen.queryByRole("alert")).toBeNull();
});
