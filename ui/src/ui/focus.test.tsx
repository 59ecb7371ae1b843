import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useRef, useState } from "react";
import { expect, test } from "vitest";

import { useFocusAfterRemoval } from "./focus";

function Fruit() {
  const [items, setItems] = useState(["Apple", "Pear", "Plum"]);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Fruit
      </h1>
      <List items={items} heading={heading} onRemove={setItems} />
    </>
  );
}

interface ListProps {
  items: string[];
  heading: React.RefObject<HTMLHeadingElement | null>;
  onRemove: (rest: string[]) => void;
}

function List({ items, heading, onRemove }: ListProps) {
  const focus = { items, target: "button", fallback: heading };
  const { list, leave } = useFocusAfterRemoval<HTMLUListElement>(focus);
  return (
    <ul ref={list}>
      {items.map((item) => (
        <li key={item}>
          <button
            type="button"
            onClick={() => {
              leave(item);
              onRemove(items.filter((other) => other !== item));
            }}
          >
            {item}
          </button>
        </li>
      ))}
    </ul>
  );
}

const remove = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("the focus moves to the next item, from the last one to the previous one, and then to the heading", async () => {
  render(<Fruit />);

  await remove("Pear");
  expect(screen.getByRole("button", { name: "Plum" })).toHaveFocus();
  await remove("Plum");
  expect(screen.getByRole("button", { name: "Apple" })).toHaveFocus();
  await remove("Apple");
  expect(screen.getByRole("heading", { name: "Fruit" })).toHaveFocus();
});
