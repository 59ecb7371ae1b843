/** The total number of rows that the server left out of these responses because it could not read them. */
export function unreadableRows(answers: readonly { headers: Headers }[]): number {
  return answers.reduce((sum, { headers }) => sum + countIn(headers.get("Unreadable-Rows")), 0);
}

function countIn(header: string | null): number {
  const count = Number(header);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
