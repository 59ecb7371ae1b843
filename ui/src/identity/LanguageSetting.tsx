import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";

import { saveLanguage } from "./save-language";
import { chosenLanguage, languageName, languages } from "../ui/language";
import { Section } from "../ui/Section";
import { SelectField } from "../ui/SelectField";

/** Whether the language was just chosen here: the page is then remounted, and its select takes the focus again. */
let wasChosenHere = false;

function choose(language: string): void {
  wasChosenHere = true;
  void saveLanguage(language === "" ? null : language);
}

/** The language of the page on this device. */
export function LanguageSetting() {
  const area = useRef<HTMLDivElement>(null);
  // An effect, because the frame's layout effect focuses the heading of a page that is mounted.
  useEffect(() => {
    if (!wasChosenHere) return;
    wasChosenHere = false;
    area.current?.querySelector("select")?.focus();
  }, []);
  return (
    <Section heading={t`Language`}>
      <div ref={area}>
        <SelectField label={t`Language of these pages`} value={chosenLanguage() ?? ""} onChange={choose}>
          <option value="">{t`Like this device`}</option>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {languageName(language)}
            </option>
          ))}
        </SelectField>
      </div>
    </Section>
  );
}
