import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";

import { ageOn, birthMonths, birthYears, readMonth, type TypedMonth } from "../format/birth-month";
import { SelectField } from "../ui/SelectField";

/** Shown as an example until a month is chosen. */
const EXAMPLE_AGE = 8;

interface BirthMonthFieldProps {
  /** The child's name; empty if it isn't known yet. */
  child: string;
  /** The id of a heading that asks instead of the legend. */
  heading?: string;
  typed: TypedMonth;
  onChange: (typed: TypedMonth) => void;
  /** The year that is stored. */
  storedYear?: string;
}

/** Asks for the month in which a child was born. */
export function BirthMonthField({ child, heading, typed, onChange, storedYear = "" }: BirthMonthFieldProps) {
  const hint = useId();
  const today = new Date();
  const read = readMonth(typed, today);
  const age = read.kind === "month" ? ageOn(read.born, today) : EXAMPLE_AGE;
  return (
    <fieldset aria-labelledby={heading} aria-describedby={hint} className="flex min-w-0 flex-col gap-2">
      {heading === undefined && (
        <legend className="pb-1 text-sm font-bold [overflow-wrap:anywhere]">
          {child === "" ? (
            <Trans>When was your child born?</Trans>
          ) : (
            <Trans>
              When was <bdi>{child}</bdi> born?
            </Trans>
          )}
        </legend>
      )}
      <div className="flex flex-wrap gap-3">
        <SelectField label={t`Month`} value={typed.month} onChange={(month) => onChange({ ...typed, month })}>
          <option value="">
            <Trans>Not said</Trans>
          </option>
          {birthMonths().map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={t`Year`} value={typed.year} onChange={(year) => onChange({ ...typed, year })}>
          <option value="">
            <Trans>Not said</Trans>
          </option>
          {birthYears(today, storedYear).map((year) => (
            <option key={year}>{year}</option>
          ))}
        </SelectField>
      </div>
      <p id={hint} className="max-w-[60ch] text-sm text-muted [overflow-wrap:anywhere]">
        {child === "" ? (
          <Trans>
            Month and year, optional. Assistants are told &apos;Your child is {age}&apos;, so answers can fit.
            The company behind an assistant learns the age, too.
          </Trans>
        ) : (
          <Trans>
            Month and year, optional. Assistants are told &apos;<bdi>{child}</bdi> is {age}&apos;, so answers
            can fit. The company behind an assistant learns the age, too.
          </Trans>
        )}
      </p>
    </fieldset>
  );
}
