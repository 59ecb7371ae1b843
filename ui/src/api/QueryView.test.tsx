import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { flushSync } from "react-dom";
import { expect, test, vi } from "vitest";

import { RequestFailed } from "./problem";
import { createQueryClient } from "./query-client";
import { QueryView } from "./QueryView";
import { expectLogged } from "../test/logged";

const load = vi.fn<() => Promise<string[]>>();

function Topics() {
  const query = useQuery({ queryKey: ["topics"], queryFn: load });
  return (
    <QueryView
      query={query}
      loading={{ sentence: "Loading topics...", skeleton: null }}
      errorText="It failed."
      empty={(topics) => topics.length === 0 && "No topics."}
    >
      {(topics) => topics.join(", ")}
    </QueryView>
  );
}

function show() {
  const queries = createQueryClient({ retries: 0 });
  render(
    <QueryClientProvider client={queries}>
      <Topics />
    </QueryClientProvider>,
  );
  return queries;
}

test("a failure shows its cause and can be retried", async () => {
  expectLogged(/Not now\./u);
  load.mockRejectedValueOnce(new RequestFailed("", { status: 503, body: { detail: "Not now." } }));
  show();
  expect(screen.getByRole("status")).toHaveTextContent("Loading topics...");
  expect(await screen.findByRole("alert")).toHaveTextContent("Not now.");

  load.mockResolvedValueOnce(["Bees"]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("Bees")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a failure stays during an automatic refetch, not during a retry", async () => {
  expectLogged(/Nor now\./u, /Not now\./u);
  load.mockRejectedValueOnce(new RequestFailed("", { status: 503, body: { detail: "Not now." } }));
  const queries = show();
  const retry = await screen.findByRole("button", { name: "Try again" });
  retry.focus();

  const { promise, reject } = Promise.withResolvers<string[]>();
  load.mockReturnValueOnce(promise);
  act(() => void queries.refetchQueries());
  await waitFor(() => expect(queries.getQueryState(["topics"])?.status).toBe("pending"));
  expect(screen.getByRole("alert")).toHaveTextContent("Not now.");
  expect(retry).toHaveFocus();
  await act(async () => reject(new RequestFailed("", { status: 503, body: { detail: "Nor now." } })));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Nor now."));
  expect(retry).toHaveFocus();

  load.mockReturnValueOnce(Promise.withResolvers<string[]>().promise);
  await userEvent.click(retry);
  expect(screen.getByRole("status")).toHaveTextContent("Loading topics...");
});

test("data without content is shown as empty", async () => {
  load.mockResolvedValueOnce([]);
  show();

  expect(await screen.findByText("No topics.")).toBeVisible();
});

test.each([undefined, 404, 503])(
  "a refetch that fails with status %s keeps the loaded data",
  async (status) => {
    expectLogged(/Not now\./u);
    load.mockResolvedValueOnce(["Bees"]);
    const queries = show();
    await screen.findByText("Bees");

    load.mockRejectedValueOnce(new RequestFailed("Not now.", status === undefined ? {} : { status }));
    await act(async () => queries.refetchQueries());

    expect(queries.getQueryState(["topics"])?.status).toBe("error");
    expect(screen.getByText("Bees")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  },
);

function view(data: string[] | undefined) {
  const query = { data, error: null, errorUpdatedAt: 0, refetch: async () => Promise.resolve() };
  return (
    <QueryView query={query} loading={{ sentence: "Loading topics...", skeleton: null }}>
      {(topics) => topics.join(", ")}
    </QueryView>
  );
}

test("content that arrives is rendered after the urgent update, content that is there with it", () => {
  const { rerender, unmount } = render(view(undefined));

  act(() => {
    flushSync(() => rerender(view(["Bees"])));
    expect(screen.getByRole("status")).toHaveTextContent("Loading topics...");
  });
  expect(screen.getByText("Bees")).toBeVisible();

  unmount();
  act(() => {
    flushSync(() => void render(view(["Bees"])));
    expect(screen.getByText("Bees")).toBeVisible();
  });
});
