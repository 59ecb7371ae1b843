import { BirthMonthField } from "./BirthMonthField";
import { ChildLanguageField, type Language, spokenLanguage } from "./ChildLanguageField";
import type { components } from "../api/generated/schema";
import { NO_MONTH, readMonth, type TypedMonth } from "../format/birth-month";

/** What is typed about a child that is being added. */
export interface TypedProfile {
  birth: TypedMonth;
  language: Language | undefined;
}

export const NO_PROFILE: TypedProfile = { birth: NO_MONTH, language: undefined };

type ReadProfile =
  { profile: Pick<components["schemas"]["SetupChild"], "born" | "language"> } | { refusal: string };

/** What was typed, for a request, or why it can't be sent. */
export function readProfile({ birth, language }: TypedProfile): ReadProfile {
  const read = readMonth(birth, new Date());
  if (read.kind === "refused") return { refusal: read.sentence };
  const born = read.kind === "month" ? { born: read.born } : {};
  return { profile: { ...born, ...spokenLanguage(language) } };
}

interface ProfileFieldsProps {
  /** The child's name; empty if it isn't known yet. */
  child: string;
  typed: TypedProfile;
  onChange: (edited: Partial<TypedProfile>) => void;
}

/** Asks what may be said of a child that is being added. */
export function ProfileFields({ child, typed, onChange }: ProfileFieldsProps) {
  return (
    <>
      <BirthMonthField child={child} typed={typed.birth} onChange={(birth) => onChange({ birth })} />
      <ChildLanguageField
        child={child}
        language={typed.language}
        onChange={(language) => onChange({ language })}
      />
    </>
  );
}
