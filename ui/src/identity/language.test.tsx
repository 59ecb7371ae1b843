import { i18n } from "@lingui/core";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { chooseLanguage, openLanguage } from "../api/catalogues";
import { FakeBackend } from "../test/fake-backend";
import { expectLogged } from "../test/logged";
import { renderAt } from "../test/render-at";
import { languageName, languages } from "../ui/language";

const select = () =>
  screen.findByRole("combobox", {
    name: /^(?:Language|Sprache|Idioma)$/u,
  });

test.each([
  [["fr-CA", "en"], null, "fr", "fr-CA"],
  [["tr", "de-AT"], null, "de", "de-AT"],
  [["tr"], null, "en", "en"],
  [["en-GB", "de"], null, "en", "en-GB"],
  [["fr-CA"], "de", "de", "de"],
  [["fr-CA"], "tlh", "fr", "fr-CA"],
])("with the browser's %j and %j chosen, the page is in %s, dates in %s", async (of, chosen, page, dates) => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(of);
  if (chosen !== null) localStorage.setItem("language", chosen);

  await openLanguage();

  expect([i18n.locale, i18n.locales, document.documentElement.lang]).toEqual([page, dates, page]);
});

test("each language has its own name", () => {
  expect(languages.map(languageName)).toEqual(["Deutsch", "English", "Español", "Français"]);
});

test("a guardian chooses the language under You; the focus and what was typed elsewhere stay", async () => {
  const { user, router } = renderAt("/child/1/context");
  await user.type(await screen.findByRole("textbox"), "She likes owls.");
  await act(async () => router.navigate("/you"));

  await user.selectOptions(await select(), "Deutsch");

  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "de"));
  await waitFor(async () => expect(await select()).toHaveFocus());
  expect(await select()).toHaveValue("de");
  expect(localStorage.getItem("language")).toBe("de");
  await act(async () => router.navigate("/child/1/context"));
  expect(await screen.findByDisplayValue(/She likes owls\.$/u)).toBeVisible();
  await act(async () => router.navigate("/you"));
  await user.selectOptions(await select(), "Wie dieses Gerät");
  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "en"));
  expect(localStorage.getItem("language")).toBeNull();
});

test("the choice is for emails, too, and nothing changes if it can't be saved", async () => {
  expectLogged(/can't be reached/u);
  const backend = new FakeBackend();
  const { user } = renderAt("/you", { backend });
  const { guardian } = backend.family("parent@example.com");

  expect(await select()).toHaveAccessibleDescription("Also for emails to you.");
  await user.selectOptions(await select(), "Deutsch");
  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "de"));
  expect(guardian.language).toBe("de");
  await user.selectOptions(await select(), "Wie dieses Gerät");
  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "en"));
  expect(guardian.language).toBe("en");

  backend.outOfReach.add("/auth/language");
  await user.selectOptions(await select(), "Español");
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(await select()).toHaveValue("");
  expect([guardian.language, localStorage.getItem("language")]).toEqual(["en", null]);
});

test.each([
  [null, "fr"],
  ["de", "de"],
])("with %s chosen on this device, a guardian who chose French gets pages in %s", async (chosen, page) => {
  if (chosen !== null) await chooseLanguage(chosen);
  const backend = new FakeBackend();
  backend.family("parent@example.com").guardian.language = "fr";

  renderAt("/you", { backend });

  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", page));
  expect(localStorage.getItem("language")).toBe(page);
});

test("the account's language ends on this device when its guardian signs out", async () => {
  const backend = new FakeBackend();
  backend.family("parent@example.com").guardian.language = "es";
  const { user } = renderAt("/you", { backend });
  await user.click(await screen.findByRole("button", { name: "Tu cuenta" }));

  await user.click(screen.getByRole("menuitem", { name: "Cerrar sesión" }));

  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "en"));
  expect(localStorage.getItem("language")).toBeNull();
});

test("another tab's choice applies, and signing out keeps it", async () => {
  const { user } = renderAt("/you");
  await select();
  localStorage.setItem("language", "es");

  act(() => void dispatchEvent(new StorageEvent("storage", { key: "language", newValue: "es" })));

  await waitFor(() => expect(document.documentElement).toHaveAttribute("lang", "es"));
  await user.click(await screen.findByRole("button", { name: "Tu cuenta" }));
  await user.click(screen.getByRole("menuitem", { name: "Cerrar sesión" }));
  await screen.findByRole("textbox", { name: "Correo" });
  expect(document.documentElement).toHaveAttribute("lang", "es");
});

test("no English detail reaches a page in another language", async () => {
  expectLogged(/status 404/u);
  await chooseLanguage("de");
  const backend = new FakeBackend();
  const { user } = renderAt("/you", { backend });
  const [first] = await screen.findAllByRole("button", { name: /^Abmelden ./u });
  backend.family("parent@example.com").signIns.splice(1, 1);

  await user.click(first ?? document.body);

  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Hier ist nichts, oder du darfst es nicht sehen.");
});
