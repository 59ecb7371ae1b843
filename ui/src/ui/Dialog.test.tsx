import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import { Dialog } from "./Dialog";
import { focusHeading } from "./focus";
import { Menu } from "./Menu";

interface PageProps {
  onAnswer?: () => void;
}

/** A page with a button and a menu item that open a dialog. */
function Page({ onAnswer }: PageProps) {
  const [asking, setAsking] = useState(false);
  const [isThere, setThere] = useState(true);
  const ask = () => setAsking(true);
  const close = () => setAsking(false);
  return (
    <>
      <h1 tabIndex={-1} data-page-heading>
        Fruit
      </h1>
      {isThere && (
        <button type="button" onClick={ask}>
          Eat
        </button>
      )}
      <Menu label="More" trigger="More" triggerClassName="" placement="below">
        <button type="button" role="menuitem" onClick={ask}>
          Eat it all
        </button>
      </Menu>
      {asking && (
        <Dialog title="Eat it?" actions={null} onClose={close}>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            onClick={() => {
              setThere(false);
              onAnswer?.();
              close();
            }}
          >
            Eat it
          </button>
        </Dialog>
      )}
    </>
  );
}

const press = async (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("closing a dialog returns the focus to the button that opened it", async () => {
  render(<Page />);
  await press("Eat");

  await press("Cancel");

  expect(screen.getByRole("button", { name: "Eat" })).toHaveFocus();
});

test("closing a dialog opened by a menu item returns the focus to the menu's button", async () => {
  render(<Page />);
  await press("More");
  await userEvent.click(screen.getByRole("menuitem", { name: "Eat it all" }));

  await press("Cancel");

  expect(screen.getByRole("button", { name: "More" })).toHaveFocus();
});

test.each([
  ["nothing was asked for", undefined],
  ["the heading was asked for while the dialog was open", focusHeading],
])("if the opener of a dialog was removed and %s, the page's heading is focused", async (_what, onAnswer) => {
  render(<Page onAnswer={onAnswer} />);
  await press("Eat");

  await press("Eat it");

  expect(screen.getByRole("heading", { name: "Fruit" })).toHaveFocus();
});
