/** Loads one page's code after the other. All at once would block the page that is open. */
export async function preloadInTurn(loads: readonly (() => Promise<unknown>)[], leaving: AbortSignal) {
  for (const load of loads) {
    if (leaving.aborted) return;
    // Errors are ignored: the router loads the code again when the page is opened.
    // oxlint-disable-next-line no-await-in-loop -- each load waits for the one before it
    await load().catch(() => {});
  }
}
