/** Gives the focus to the page's heading, so that those who listen hear where they are. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
}
