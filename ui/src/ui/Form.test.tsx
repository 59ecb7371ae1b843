import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createPortal } from "react-dom";
import { expect, test, vi } from "vitest";

import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Form } from "./Form";
import { TextField } from "./TextField";

const ignore = () => {};

test("a form passes its input to the app, and the browser submits nothing", async () => {
  const submitted = vi.fn<(typed: FormData) => void>();
  const byBrowser = vi.fn<(event: Event) => void>((event) => expect(event.defaultPrevented).toBe(true));
  window.addEventListener("submit", byBrowser, { once: true });
  render(
    <Form onSubmit={submitted}>
      <TextField label="Name" name="name" />
      <Button type="submit">Save</Button>
    </Form>,
  );

  await userEvent.type(screen.getByRole("textbox"), "Kitchen{Enter}");

  expect(submitted.mock.calls.map(([typed]) => typed.get("name"))).toEqual(["Kitchen"]);
  expect(byBrowser).toHaveBeenCalledOnce();
});

test.each([
  ["form", <Form key="inner" onSubmit={ignore} />],
  [
    "dialog",
    <Dialog key="inner" title="Sure?" actions={null} onClose={ignore}>
      It is final.
    </Dialog>,
  ],
])("a %s inside a form throws, also in a portal", (what, inner) => {
  expect(() => render(<Form onSubmit={ignore}>{inner}</Form>)).toThrow(`A ${what} is rendered inside a form`);
  expect(() => render(<Form onSubmit={ignore}>{createPortal(inner, document.body)}</Form>)).toThrow(
    `A ${what} is rendered inside a form`,
  );
});
