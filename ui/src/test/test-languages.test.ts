import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, onTestFinished, test } from "vitest";

import { accentIntl, inTestLanguage, type TestLanguage } from "./test-languages";

function shown(language: TestLanguage, message: string, values: Record<string, unknown> = {}): string {
  const messages = inTestLanguage(language, { id: compileMessage(message) });
  return setupI18n({ locale: "en", messages: { en: messages } })._("id", values);
}

test("accented texts are 40 % longer and keep values, elements and plurals", () => {
  expect(shown("accented", "Sign out")).toBe("Šîîĝñ ööûûť~");
  expect(shown("accented", "<0>Tell {name}</0>", { name: "Mia" })).toBe("<0>Ťééļļ~ \u2068Mia\u2069</0>");
  expect(shown("accented", "{n, plural, one {# day} other {# days}}", { n: 2 })).toBe("2 đååýýš");
});

test("mirrored texts are overridden from right to left", () => {
  expect(shown("mirrored", "Hello {name}!", { name: "Mia" })).toBe("\u202EHello \u202C\u2068Mia\u2069!");
});

test("dates and lists are accented in the accented language alone, and values aren't", () => {
  const { DateTimeFormat, ListFormat } = Intl;
  onTestFinished(() => {
    Object.assign(Intl, { DateTimeFormat, ListFormat });
  });
  accentIntl();

  const day = new Date(2026, 10, 27);
  const month = { month: "long", day: "numeric" } as const;
  expect(new Intl.DateTimeFormat("en-XA", month).format(day)).toBe("Ñöövéémbééŕ~ 27");
  expect(new Intl.DateTimeFormat("de", month).format(day)).toBe("27. November");
  expect(new Intl.ListFormat("en-XA").format(["Mia", "Noah"])).toBe("Mia ååñđ~ Noah");
});
