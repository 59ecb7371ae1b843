import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import { ErrorState } from "./ErrorState";
import { PageHeading } from "./PageHeading";

function Page() {
  const [failed, setFailed] = useState(true);
  return (
    <>
      <PageHeading>Summary</PageHeading>
      {failed && <ErrorState sentence="Not now." onRetry={() => setFailed(false)} />}
    </>
  );
}

test("an error is announced, and a retry that removes it moves the focus to the heading", async () => {
  render(<Page />);
  expect(screen.getByRole("alert")).toHaveTextContent("Not now.");

  await userEvent.tab();
  await userEvent.keyboard("{Enter}");

  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("heading", { name: "Summary" })).toHaveFocus();
});
