import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { FakeBackend } from "../test/fake-backend";
import { renderAt } from "../test/render-at";

const thePage = () => screen.getByRole("article", { name: "The page" });
const wordingField = () => screen.getByRole("textbox", { name: "Wording" });

test("a guardian looks at both editions, and only the button saves one", async () => {
  const { backend, user } = renderAt("/child/1/for-child");
  const saved = () => backend.family("parent@example.com").editions.get(1);

  expect(await screen.findByRole("heading", { name: "A page for Mia", level: 1 })).toBeVisible();
  expect(screen.queryByRole("article")).toBeNull();
  expect(screen.queryByRole("navigation")).toBeNull();
  await user.click(await screen.findByRole("radio", { name: "6 to 9" }));

  // For how long conversations are kept may still be loading.
  expect(await screen.findByRole("article", { name: "The page" })).toHaveTextContent(
    "Hi Mia! When you talk with Kitchen, your words are kept.",
  );
  await user.click(screen.getByRole("radio", { name: "10 and older" }));
  expect(thePage()).toHaveTextContent("Porchlight keeps text, not sound.");
  expect(backend.calls.get("/child/{childId}/for_child")).toBe(1);
  expect(saved()).toBeUndefined();
  await user.click(screen.getByRole("radio", { name: "6 to 9" }));
  await user.click(screen.getByRole("button", { name: "Save as Mia's page" }));

  expect(await screen.findByText("Saved.")).toBeVisible();
  expect(saved()).toBe("younger");
  expect(screen.getByRole("button", { name: "Save as Mia's page" })).toHaveFocus();
});

test("the page tells the child which assistant knows its age, by the name that the child uses", async () => {
  const backend = new FakeBackend();
  const family = backend.family("parent@example.com");
  family.editions.set(1, "younger");
  family.profiles.set(1, { born: `${new Date().getFullYear() - 8}-01` });
  const { user } = renderAt("/child/1/for-child", { backend });

  expect(await screen.findByRole("article", { name: "The page" })).toHaveTextContent(
    "Kitchen knows that you are 8.",
  );
  await user.click(screen.getByText("Change names and wording"));
  const assistant = screen.getByRole("textbox", { name: "What your child calls the assistant" });
  await user.clear(assistant);
  await user.type(assistant, "Robo");

  expect(thePage()).toHaveTextContent("Robo knows that you are 8.");
});

test("names and wording are changed for this page alone, and it is printed", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").editions.set(1, "younger");
  const { user } = renderAt("/child/1/for-child", { backend });
  const print = vi.fn<() => void>();
  vi.stubGlobal("print", print);
  const change = await screen.findByText("Change names and wording");

  await user.click(change);
  const grownUp = screen.getByRole("textbox", { name: "What your child calls the grown-up" });
  await user.clear(grownUp);
  await user.type(grownUp, "Mama");
  expect(thePage()).toHaveTextContent("Who can read your words? Mama can.");
  const wording = screen.getByRole("textbox", { name: "Wording" });
  await user.clear(wording);
  await user.type(wording, "Hello you.");
  expect(thePage()).toHaveTextContent(/^Hello you\.$/u);
  await user.click(screen.getByRole("radio", { name: "10 and older" }));
  expect(thePage()).toHaveTextContent("Mama, and the person who runs our server.");
  await user.click(screen.getByRole("radio", { name: "6 to 9" }));
  expect(thePage()).toHaveTextContent(/^Hello you\.$/u);
  await user.click(screen.getByRole("button", { name: "Print" }));
  expect(print).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Use the standard wording" }));

  expect(thePage()).toHaveTextContent("Who can read your words? Mama can.");
});

test("the page is in the language that the child speaks, and another one can be chosen for it", async () => {
  const backend = new FakeBackend();
  const family = backend.family("parent@example.com");
  family.editions.set(1, "younger");
  family.profiles.set(1, { language: "de" });
  const { user } = renderAt("/child/1/for-child", { backend });
  const german = await screen.findByRole("article", { name: "Die Seite" });
  expect(german).toHaveTextContent("Hallo Mia! Wenn Kitchen mit dir spricht, werden deine Worte aufgehoben.");
  expect(german.closest("[lang]")).toHaveAttribute("lang", "de");
  expect(screen.getByRole("heading", { name: "Für Mia" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Print" })).toBeVisible();
  expect(document.documentElement.lang).toBe("en");
  await user.click(screen.getByText("Change names and wording"));
  expect(wordingField()).toHaveAttribute("lang", "de");
  await user.clear(wordingField());
  await user.type(wordingField(), "Hallo du.");
  expect(german).toHaveTextContent(/^Hallo du\.$/u);

  const language = screen.getByRole("combobox", { name: "Language of the page" });
  expect(language).toHaveAccessibleDescription("For this page alone, and not saved.");
  await user.selectOptions(language, "Français");

  const french = await screen.findByRole("article", { name: "La page" });
  expect(french).toHaveTextContent("Bonjour Mia");
  expect(french.closest("[lang]")).toHaveAttribute("lang", "fr");
  await user.selectOptions(language, "English");
  expect(thePage()).toHaveTextContent("Hi Mia! When you talk with Kitchen");
  expect(family.profiles.get(1)).toEqual({ language: "de" });
  await user.selectOptions(language, "Deutsch");
  expect(await screen.findByRole("article", { name: "Die Seite" })).toHaveTextContent(/^Hallo du\.$/u);
});

test("for a child that is not in the list the page says so", async () => {
  renderAt("/child/99/for-child");

  expect(await screen.findByText("There is no such child here.")).toBeVisible();
});
