/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on a phone the rows are laid out as cards, and a browser then no longer treats the table as one */
import { type Figures, oneDecimal } from "./words";
import { concernNames } from "../children/concerns";
import { capitalized, shortDate } from "../format/dates";

/** How good the model was on conversations whose answers are known. */
export function FiguresTable({ figures }: { figures: Figures }) {
  return (
    <div className="@container flex flex-col gap-3">
      <p>Tested on {shortDate(figures.at, new Date())}, on made-up conversations, each read three times.</p>
      <table role="table" className="w-full text-left @max-lg:block">
        <caption className="sr-only">What it found in its test, by concern</caption>
        <thead role="rowgroup" className="@max-lg:sr-only">
          <tr role="row" className="border-b border-line align-bottom text-sm text-muted">
            {columns.map((column, index) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={`py-2 font-bold ${index === 0 ? "pr-4" : "w-20 pl-3 text-right"}`}
              >
                {column}
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
              <th role="rowheader" scope="row" className="py-2 pr-4 @max-lg:basis-full @max-lg:py-0">
                {capitalized(concernNames[of.concern])}
              </th>
              {[
                of.found.toLocaleString("en-US"),
                of.missed.toLocaleString("en-US"),
                of.false_alarms.toLocaleString("en-US"),
                of.quotes_not_there.toLocaleString("en-US"),
                oneDecimal(of.seconds),
              ].map((value, index) => (
                <td
                  key={columns[index + 1]}
                  role="cell"
                  className="tabular-nums @max-lg:text-sm @lg:py-2 @lg:pl-3 @lg:text-right"
                >
                  <span aria-hidden="true" className="text-muted @lg:hidden">
                    {columns[index + 1]}:{" "}
                  </span>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-muted">Invented quotes are thrown away.</p>
    </div>
  );
}

const columns = ["Concern", "Found", "Missed", "False alarms", "Invented quotes", "Seconds"] as const;
