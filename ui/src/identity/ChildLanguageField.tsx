import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { components } from "../api/generated/schema";
import { isolated } from "../format/isolated";
import { languageName } from "../ui/language";
import { SelectField } from "../ui/SelectField";

export type Language = components["schemas"]["Language"];

/** The languages that a child can speak with its assistants. */
const everyLanguage: Record<Language, Language> = { en: "en", de: "de", fr: "fr", es: "es" };

export const childLanguages = Object.values(everyLanguage);

/** What was chosen, for a request. */
export function spokenLanguage(language: Language | undefined): { language?: Language } {
  return language === undefined ? {} : { language };
}

interface ChildLanguageFieldProps {
  /** The child's name; empty if it isn't known yet. */
  child: string;
  /** Whether a heading says it. */
  hidesLabel?: boolean;
  language: Language | undefined;
  onChange: (language: Language | undefined) => void;
}

/** Asks for the language that a child speaks with its assistants. */
export function ChildLanguageField({
  child,
  hidesLabel = false,
  language,
  onChange,
}: ChildLanguageFieldProps) {
  return (
    <SelectField
      label={child === "" ? t`Language your child speaks` : t`Language ${{ name: isolated(child) }} speaks`}
      hidesLabel={hidesLabel}
      hint={t`Optional. Assistants are told to speak it, and say goodbye in it. The company behind an assistant learns it, too.`}
      value={language ?? ""}
      onChange={(value) => onChange(childLanguages.find((one) => one === value))}
    >
      <option value="">
        <Trans>Not said</Trans>
      </option>
      {childLanguages.map((one) => (
        <option key={one} value={one} lang={one}>
          {languageName(one)}
        </option>
      ))}
    </SelectField>
  );
}
