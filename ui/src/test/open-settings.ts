import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";

import { renderAt } from "./render-at";
import { type SectionPage, paths } from "../paths";

/** Renders a page of Mia's settings and waits for its data. */
export async function openSettings(page: SectionPage, visit: Parameters<typeof renderAt>[1] = {}) {
  const rendered = renderAt(paths.section(1, page), visit);
  await screen.findByRole("banner");
  const main = within(screen.getByRole("main"));
  await main.findByRole("heading", { level: 1 });
  await waitFor(() => expect(main.queryByText(/^Loading/u, { selector: "[role=status]" })).toBeNull());
  return { ...rendered, main };
}
