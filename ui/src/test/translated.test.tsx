/** Pages whose every sentence is a message: none has an English word left in the accented test language. */
import { render, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { englishTexts, openAccented } from "./english-texts";
import { renderAt } from "./render-at";
import { pageHeading } from "../ui/focus";

/** Add a page once the folders that it shows are converted. */
const pages = [
  { path: "/login", as: null },
  { path: "/pair", as: null },
  { path: "/welcome", as: null },
  { path: "/address", as: null },
  { path: "/invitation", as: null },
];

test.each(pages)("$path has no English word in another language", async ({ path, as }) => {
  await openAccented();
  const { queries } = renderAt(path, { as });
  await waitFor(() => expect(pageHeading()).not.toBeNull());
  await waitFor(() => expect(queries.isFetching()).toBe(0));

  expect(englishTexts(["Example", "ID"])).toEqual([]);
});

test("an English text on a page is found", () => {
  document.title = "Porchlight";
  render(
    <>
      <p>Ťħîîš îîš</p>
      <p>This is</p>
      <button type="button" aria-label="Close">
        ×
      </button>
      <bdi>Mia</bdi>
    </>,
  );

  expect(englishTexts([])).toEqual(["This is", "Close"]);
});
