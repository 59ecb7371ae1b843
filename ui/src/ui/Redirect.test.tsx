import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { Link, RouterProvider, createMemoryRouter } from "react-router";
import { expect, test } from "vitest";

import { Redirect } from "./Redirect";

function Start() {
  const [isLoaded, setIsLoaded] = useState(false);
  return isLoaded ? (
    <Redirect to="/usual" />
  ) : (
    <>
      <Link to="/chosen">Choose</Link>
      <button type="button" onClick={() => setIsLoaded(true)}>
        Load
      </button>
    </>
  );
}

function start(loader: () => Promise<null>) {
  const router = createMemoryRouter([
    { path: "/", element: <Start /> },
    { path: "/usual", element: "The usual page" },
    { path: "/chosen", loader, element: "The chosen page" },
  ]);
  render(<RouterProvider router={router} />);
  return router;
}

test("a redirect replaces the history entry", async () => {
  const router = start(async () => null);
  await userEvent.click(screen.getByRole("button", { name: "Load" }));

  expect(await screen.findByText("The usual page")).toBeVisible();
  expect(router.state.historyAction).toBe("REPLACE");
});

test("a navigation in progress is not interrupted", async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const router = start(async () => promise);
  await userEvent.click(screen.getByRole("link", { name: "Choose" }));
  await waitFor(() => expect(router.state.navigation.state).toBe("loading"));
  await userEvent.click(screen.getByRole("button", { name: "Load" }));
  resolve(null);

  expect(await screen.findByText("The chosen page")).toBeVisible();
});
