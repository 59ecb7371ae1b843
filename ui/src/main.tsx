import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";

import { openLanguage } from "./api/catalogues";
import { RETRY_MS, createQueryClient } from "./api/query-client";
import { pastedLink } from "./identity/sign-in-link";
import { createRoutes } from "./routes";
import { registerWorker } from "./ui/worker";
import { surviveTranslation } from "./ui/translated-page";
import "./ui/styles.css";

const fake = import.meta.env.MODE === "fake" ? await import("./test/browser") : null;
await fake?.startFakeBackend();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");

// A token that a mail program moved out of the fragment must not stay in the address, or reach a log with the next request.
const link = pastedLink(location.href);
if (link !== null) history.replaceState(null, "", link);

// Where storage is blocked, it fails. Before any `await`: the load event comes once.
if (import.meta.env.PROD)
  addEventListener("load", () => void registerWorker(() => location.reload()).catch(() => {}));

surviveTranslation(document.body);
// Loads beside what the router needs.
const opening = openLanguageWithRetries();
const queries = createQueryClient();
const router = createBrowserRouter(createRoutes(queries));
await opening;
await fake?.openTestLanguage();

createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

/** Without its catalogue the page has no words. */
async function openLanguageWithRetries(): Promise<void> {
  await openLanguage().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return openLanguageWithRetries();
  });
}
