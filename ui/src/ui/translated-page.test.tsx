import { act, render, screen } from "@testing-library/react";
import { afterAll, expect, test } from "vitest";

import { surviveTranslation } from "./translated-page";

afterAll(surviveTranslation(document));

/** Replaces a text by a translation, as Chrome's translator does. */
function replace(text: Text): void {
  const translation = document.createElement("font");
  translation.append(document.createElement("font"));
  translation.firstElementChild?.append(text.data.toUpperCase());
  text.replaceWith(translation);
}

/** Moves a text into an element and changes it there. */
function wrap(text: Text): void {
  const wrapper = document.createElement("font");
  text.replaceWith(wrapper);
  wrapper.append(text);
  text.data = text.data.toUpperCase();
}

async function translate(element: Element, how: (text: Text) => void): Promise<void> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) how(text);
  // Translators run in separate tasks.
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
}

function Minutes({ count, open }: { count: number; open: boolean }) {
  return (
    <p data-testid="line">
      {open && "Paused: "}
      {count} of <b>ten</b> {open ? "minutes" : <i>minutes left</i>}
      {!open && "."}
    </p>
  );
}

test.each([
  ["replaced", replace],
  ["moved into other elements", wrap],
])("texts that a translator has %s can be updated, removed and inserted before", async (_how, how) => {
  const { rerender } = render(<Minutes count={1} open />);
  const line = screen.getByTestId("line");
  await translate(line, how);
  expect(line).toHaveTextContent("PAUSED: 1 OF TEN MINUTES");

  rerender(<Minutes count={2} open={true} />);
  await translate(line, () => {});
  expect(line).toHaveTextContent(/^PAUSED: 2 OF TEN MINUTES$/u);

  rerender(<Minutes count={3} open={false} />);
  await translate(line, () => {});
  expect(line).toHaveTextContent(/^3 OF TEN minutes left\.$/u);

  await translate(line, how);
  rerender(<Minutes count={4} open={true} />);
  await translate(line, how);
  expect(line).toHaveTextContent(/^PAUSED: 4 OF TEN MINUTES$/u);
});
