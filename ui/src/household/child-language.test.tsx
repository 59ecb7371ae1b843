import { expect, test } from "vitest";

import type { Language } from "../identity/ChildLanguageField";
import { FakeBackend } from "../test/fake-backend";
import { openSettings } from "../test/open-settings";
import { allAnswered } from "../test/requests";

async function open(language?: Language) {
  const backend = new FakeBackend();
  const { profiles } = backend.family("parent@example.com");
  if (language !== undefined) profiles.set(1, { language });
  const { user, main } = await openSettings("settings/profile", { backend });
  const asked = await main.findByRole("combobox", { name: "Language Mia speaks" });
  const save = () =>
    user.click(main.getByRole("button", { name: "Save", description: "Language Mia speaks" }));
  return { user, main, profiles, asked, save };
}

test("the language that a child speaks is saved", async () => {
  const { user, main, profiles, asked, save } = await open();
  expect(asked).toHaveDisplayValue("Not said");
  expect(asked).toHaveAccessibleDescription(
    "Optional. Assistants are told to speak it, and say goodbye in it. The company behind an assistant learns it, too.",
  );

  await user.selectOptions(asked, "Deutsch");
  expect(profiles.size).toBe(0);
  await save();

  expect(await main.findByText("Saved.")).toBeVisible();
  expect(profiles.get(1)).toEqual({ language: "de" });
  await allAnswered();
  expect(asked).toHaveDisplayValue("Deutsch");
});

test("it is removed", async () => {
  const { user, main, profiles, asked, save } = await open("fr");
  expect(asked).toHaveDisplayValue("Français");

  await user.selectOptions(asked, "Not said");
  await save();

  expect(await main.findByText("Saved.")).toBeVisible();
  expect(profiles.get(1)).toEqual({});
  await allAnswered();
  expect(asked).toHaveDisplayValue("Not said");
});
