import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { Button } from "./Button";
import { Form } from "./Form";

test.each(["disabled", "busy"])("a %s button ignores clicks and keeps the focus", async (state) => {
  const press = vi.fn<() => void>();
  const { rerender } = render(<Button onClick={press}>Save</Button>);
  const button = screen.getByRole("button", { name: "Save" });
  await userEvent.click(button);

  rerender(
    <Button onClick={press} {...{ [state]: true }}>
      Save
    </Button>,
  );
  await userEvent.click(button);
  await userEvent.keyboard("{Enter}");

  expect(press).toHaveBeenCalledOnce();
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAttribute("aria-busy", String(state === "busy"));
});

test("a busy submit button does not submit its form", async () => {
  const submit = vi.fn<() => void>();
  render(
    <Form onSubmit={submit}>
      <Button type="submit" busy busyLabel="Saving...">
        Save
      </Button>
    </Form>,
  );

  await userEvent.click(screen.getByRole("button", { name: "Saving..." }));

  expect(submit).not.toHaveBeenCalled();
});

test("both labels take up space, and only one is accessible", () => {
  const { rerender } = render(<Button busyLabel="Saving...">Save</Button>);
  expect(screen.getByRole("button", { name: "Save" })).toHaveTextContent("SaveSaving...");

  rerender(
    <Button busy busyLabel="Saving...">
      Save
    </Button>,
  );

  expect(screen.getByRole("button", { name: "Saving..." })).toHaveTextContent("SaveSaving...");
});
