import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import page from "../../index.html?raw";
import { LoadingScreen } from "./IdentityGate";

test("index.html shows the loading screen until the code has loaded", () => {
  const { container } = render(<LoadingScreen sentence="Loading application..." />);

  const shown = new DOMParser().parseFromString(page, "text/html").querySelector("#root main");
  shown?.classList.remove("noscript:hidden");

  expect(shown?.outerHTML.replace(/>\s+</gu, "><")).toBe(container.innerHTML);
});
