import { t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { saveLanguage } from "./save-language";
import { Failure } from "../api/Failure";
import { chosenLanguage, languageName, languages } from "../ui/language";
import { Section } from "../ui/Section";
import { SelectField } from "../ui/SelectField";

/** Whether the language was just chosen here: the page is then remounted, and its select takes the focus again. */
let wasChosenHere = false;

/** The language of the page on this device, and of emails to the guardian. */
export function LanguageSetting() {
  const area = useRef<HTMLDivElement>(null);
  const save = useMutation({ mutationFn: saveLanguage });
  const choose = (language: string) => {
    wasChosenHere = true;
    save.mutate(language === "" ? null : language, { onError: () => (wasChosenHere = false) });
  };
  const shown = save.isPending ? save.variables : chosenLanguage();
  // An effect, because the frame's layout effect focuses the heading of a page that is mounted.
  useEffect(() => {
    if (!wasChosenHere) return;
    wasChosenHere = false;
    area.current?.querySelector("select")?.focus();
  }, []);
  return (
    <Section heading={t`Language`}>
      <div ref={area}>
        <SelectField
          label={t`Language`}
          hidesLabel
          hint={t`Also for emails to you.`}
          value={shown ?? ""}
          onChange={choose}
        >
          <option value="">{t`Like this device`}</option>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {languageName(language)}
            </option>
          ))}
        </SelectField>
        <Failure error={save.error} />
      </div>
    </Section>
  );
}
