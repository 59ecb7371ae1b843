/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on a phone the rows are laid out as cards, and a browser then no longer treats the table as one */
import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { type Figures, oneDecimal } from "./words";
import { concernNames } from "../children/concerns";
import { capitalized, shortDate } from "../format/dates";
import { pageLocale } from "../format/locale";
import { inPagesLanguage } from "../ui/language";

/** How good the model was on conversations whose answers are known. */
export function FiguresTable({ figures }: { figures: Figures }) {
  return (
    <div className="@container">
      <table role="table" className="w-full text-left page-rtl:text-right @max-lg:block">
        <caption className="text-start @max-lg:block">
          <Trans>
            Tested on {{ date: shortDate(figures.tested_at, new Date()) }}, on made-up conversations, each
            read three times.
          </Trans>
        </caption>
        <thead role="rowgroup" className="@max-lg:sr-only">
          <tr role="row" className="border-b border-line align-bottom text-sm text-muted">
            {columns.map((column, index) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                className={`py-2 font-bold ${index === 0 ? "pe-4" : "w-20 ps-3 text-end"}`}
              >
                {i18n._(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-lg:block">
          {figures.concerns.map((of) => (
            <tr
              key={of.concern}
              role="row"
              className="border-b border-line @max-lg:flex @max-lg:flex-wrap @max-lg:gap-x-3 @max-lg:py-2"
            >
              <th role="rowheader" scope="row" className="py-2 pe-4 @max-lg:basis-full @max-lg:py-0">
                {capitalized(inPagesLanguage(concernNames[of.concern]))}
              </th>
              {valuesOf(of).map(({ column, value }) => (
                <td
                  key={column.id}
                  role="cell"
                  className="tabular-nums @max-lg:text-sm @lg:py-2 @lg:ps-3 @lg:text-end"
                >
                  <span aria-hidden="true" className="text-muted @lg:hidden">
                    <Trans>{{ label: i18n._(column) }}:</Trans>{" "}
                  </span>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function wholeNumber(value: number): string {
  return value.toLocaleString(pageLocale());
}

/** The values of the columns after the first. */
function valuesOf(of: Figures["concerns"][number]) {
  const [, found, missed, falseAlarms, inventedQuotes, seconds] = columns;
  return [
    { column: found, value: wholeNumber(of.found) },
    { column: missed, value: wholeNumber(of.missed) },
    { column: falseAlarms, value: wholeNumber(of.false_alarms) },
    { column: inventedQuotes, value: wholeNumber(of.quotes_not_there) },
    { column: seconds, value: oneDecimal(of.seconds) },
  ];
}

const columns = [
  msg`Concern`,
  msg({ message: "Found", context: "in a test" }),
  msg({ message: "Missed", context: "in a test" }),
  msg`False alarms`,
  msg`Invented quotes (thrown away)`,
  msg`Seconds`,
] as const;
