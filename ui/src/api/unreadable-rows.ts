/** How many rows these answers lack because the server could not read them, in all. */
export function unreadableRows(answers: readonly { headers: Headers }[]): number {
  return answers.reduce((sum, { headers }) => sum + countIn(headers.get("Unreadable-Rows")), 0);
}

function countIn(header: string | null): number {
  const count = Number(header);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
