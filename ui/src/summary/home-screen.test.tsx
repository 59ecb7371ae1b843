import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { renderAt } from "../test/render-at";

const notice = { name: "Put Porchlight on your home screen" };

interface Phone {
  userAgent: string;
  controller?: object | null;
  isInstalled?: boolean;
}

function hold({ userAgent, controller = {}, isInstalled = false }: Phone) {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { controller } });
  vi.spyOn(window, "matchMedia").mockImplementation(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this is read
    (query) => ({ matches: isInstalled && query === "(display-mode: standalone)" }) as MediaQueryList,
  );
}

afterEach(() => Reflect.deleteProperty(navigator, "serviceWorker"));

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1";
const PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/145.0 Mobile";
const LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

test.each([
  [IPHONE, /tap Share, then “Add to Home Screen”/u],
  [PIXEL, /menu ⋮, then tap “Add to Home screen”/u],
])("says once how this phone gets an icon: %s", async (userAgent, steps) => {
  hold({ userAgent });
  const { user, unmount } = renderAt("/child/1/summary");

  expect(await screen.findByRole("region", notice)).toHaveTextContent(steps);
  expect(screen.getByRole("region", notice)).toHaveTextContent("open “Subscription” there");
  await user.click(screen.getByRole("button", { name: "Done" }));

  await waitFor(() => expect(screen.queryByRole("region", notice)).toBeNull());
  unmount();
  renderAt("/child/1/summary");
  await screen.findByRole("heading", { name: "Summary for Mia" });
  await screen.findByRole("region", { name: "Summary as JSON" });
  expect(screen.queryByRole("region", notice)).toBeNull();
});

test.each<[string, Phone]>([
  ["a computer", { userAgent: LAPTOP }],
  ["an icon that is there", { userAgent: PIXEL, isInstalled: true }],
  ["an address without https", { userAgent: IPHONE, controller: null }],
])("it isn't said for %s", async (_what, phone) => {
  hold(phone);
  renderAt("/child/1/summary");

  await screen.findByRole("region", { name: "Summary as JSON" });
  expect(screen.queryByRole("region", notice)).toBeNull();
});
